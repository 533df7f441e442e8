// The command line: names, flags and help. What a command does is loaded when it is called.
import { Command, type CommanderError, Help, type Option } from 'commander';
import { exitCodes } from './exit-codes.ts';
import { addBridgeCommands } from './program/bridge-commands.ts';
import { addOpenClawCommands } from './program/openclaw-commands.ts';
import { addOtherCommands } from './program/other-commands.ts';
import { addPermissionCommands } from './program/permission-commands.ts';
import { addSessionCommands } from './program/session-commands.ts';
import { addWatchCommands } from './program/watch-commands.ts';
import { version } from './version.ts';

export function program(): Command {
  const root = new Command('synthesis')
    .description('Gives every OpenClaw conversation its own long-lived, interactive Claude Code session.')
    .version(version, '-V, --version', 'print the version')
    .showSuggestionAfterError()
    .showHelpAfterError('Run `synthesis --help` to see the commands.')
    .helpCommand(false)
    .configureHelp({ optionDescription: withoutFalse })
    .configureOutput({ outputError: (text, write) => write(text) });
  root.commandsGroup('The bridge:');
  addBridgeCommands(root);
  root.commandsGroup('Watching and steering:');
  addWatchCommands(root);
  addSessionCommands(root);
  root.commandsGroup('Permissions:');
  addPermissionCommands(root);
  root.commandsGroup('More:');
  addOpenClawCommands(root);
  addOtherCommands(root);
  exitsByUs(root);
  root.addHelpText('after', afterHelp);
  return root;
}

/** That a switch is off unless it is given goes without saying. */
const withoutFalse = (option: Option): string =>
  new Help().optionDescription(option).replace(/ ?\(default: false\)/, '');

const afterHelp = `
Start with \`synthesis demo\`: the whole loop, without sign-in or network.
Then \`synthesis init\`, \`synthesis doctor\` and \`synthesis up\`. Each command has examples: \`synthesis <command> --help\`.`;

function exitsByUs(command: Command): void {
  command.exitOverride(leave);
  for (const inner of command.commands) exitsByUs(inner);
}

/** Help and version end well; every other complaint of the parser is a usage error it has already printed. */
function leave(error: CommanderError): never {
  process.exitCode = error.exitCode === 0 ? exitCodes.ok : exitCodes.usage;
  process.exit();
}
