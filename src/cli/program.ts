// The command line: names, flags and help. What a command does is loaded when it is called.
import { Command, type CommanderError, Help, type Option, type OutputConfiguration } from 'commander';
import { exitCodes } from './exit-codes.ts';
import { printText, sayText } from './output/out.ts';
import { columnsOf } from './output/standard-streams.ts';
import { auditCommands } from './program/audit-commands.ts';
import { bridgeCommands } from './program/bridge-commands.ts';
import { clusterCommands } from './program/cluster-commands.ts';
import { healthCommands } from './program/health-commands.ts';
import { journalCommands } from './program/journal-commands.ts';
import { otherCommands } from './program/other-commands.ts';
import type { CommandTable } from './program/parts.ts';
import { permissionCommands } from './program/permission-commands.ts';
import { secretCommands } from './program/secret-commands.ts';
import { serviceCommands } from './program/service-commands.ts';
import { sessionCommands } from './program/session-commands.ts';
import { tokenCommands } from './program/token-commands.ts';
import { toolsCommands } from './program/tools-commands.ts';
import { vaultCommands } from './program/vault-commands.ts';
import { watchCommands } from './program/watch-commands.ts';
import { version } from './version.ts';

const groups: readonly [title: string, commands: CommandTable][] = [
  ['The bridge:', { ...bridgeCommands, ...serviceCommands, ...clusterCommands, ...tokenCommands }],
  ['Watching and steering:', { ...watchCommands, ...sessionCommands, ...healthCommands }],
  ['Permissions:', { ...permissionCommands, ...secretCommands, ...auditCommands, ...journalCommands }],
  ['Tools:', { ...toolsCommands, ...vaultCommands }],
  ['More:', otherCommands],
];

/**
 * @param only the first word of the command line: when it names a command, the others are left out, because describing
 * them all takes a tenth of the time that `ps` needs
 */
export function program(only?: string): Command {
  const root = new Command('synthesis')
    .description('Gives every OpenClaw conversation its own long-lived, interactive Claude Code session.')
    .version(version, '-V, --version', 'print the version')
    .showSuggestionAfterError()
    .showHelpAfterError('Run `synthesis --help` to see the commands.')
    .helpCommand(false)
    .configureHelp({ optionDescription: withoutNothing })
    .configureOutput(output);
  const named = groups.some(([, commands]) => only !== undefined && Object.hasOwn(commands, only));
  const alone = named && only !== 'complete' && only !== 'help';
  for (const [title, commands] of groups) {
    root.commandsGroup(title);
    for (const [name, add] of Object.entries(commands)) if (!alone || name === only) add(root);
  }
  endsByUs(root, 'synthesis');
  root.addHelpText('after', afterHelp);
  return root;
}

/** Nothing in a help is painted, so nothing has to be taken out. */
const output: OutputConfiguration = {
  writeOut: printText,
  writeErr: sayText,
  getOutHelpWidth: () => columnsOf('stdout') || 80,
  getErrHelpWidth: () => columnsOf('stderr') || 80,
  getOutHasColors: () => true,
  getErrHasColors: () => true,
};

/** That a switch is off, and a list empty, unless it is given goes without saying. */
const withoutNothing = (option: Option): string =>
  new Help().optionDescription(option).replace(/ ?\(default: (?:false|\[\])\)/, '');

const afterHelp = `
Start with \`synthesis demo\`: the whole loop, without sign-in or network.
Then \`synthesis init\`, \`synthesis doctor\` and \`synthesis up\`. Each command has examples: \`synthesis <command> --help\`.`;

/** Each command's errors end by us, and name the help of that command. */
function endsByUs(command: Command, called: string): void {
  command.exitOverride(leave);
  for (const inner of command.commands) {
    const name = `${called} ${inner.name()}`;
    endsByUs(inner.showHelpAfterError(`Run \`${name} --help\` to see what it takes.`), name);
  }
}

/** Help and version end well; every other complaint of the parser is a usage error it has already printed. */
function leave(error: CommanderError): never {
  process.exitCode = error.exitCode === 0 ? exitCodes.ok : exitCodes.usage;
  process.exit();
}
