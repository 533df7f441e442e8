import type { Argument, Command } from 'commander';

/** What the command line does not know of itself. */
export interface ManualSection {
  title: string;
  entries: readonly (readonly [term: string, words: string])[];
}

/**
 * synthesis(1), made of the command line itself, in the `man` macros that groff and mandoc share.
 * Source: https://man7.org/linux/man-pages/man7/man.7.html
 * @param version in the footer
 */
export function manual(root: Command, version: string, sections: readonly ManualSection[]): string {
  const name = root.name();
  const lines = [
    `.TH ${quoted(name.toUpperCase())} 1 "" ${quoted(`${name} ${version}`)} "User Commands"`,
    '.SH NAME',
    `${text(name)} \\- ${text(root.description().replace(/\.$/, ''))}`,
    '.SH SYNOPSIS',
    `${bold(name)} ${italic('command')} [${italic('options')}]`,
    '.SH COMMANDS',
    ...shown(root).flatMap((command) => commandLines(command, name)),
    ...sections.flatMap(({ title, entries }) => [
      `.SH ${quoted(title)}`,
      ...entries.flatMap(([term, words]) => tagged(bold(term), words)),
    ]),
  ];
  return `${lines.join('\n')}\n`;
}

const shown = (command: Command): readonly Command[] => command.createHelp().visibleCommands(command);

function commandLines(command: Command, parents: string): string[] {
  const help = command.createHelp();
  const examples = examplesOf(command);
  const whole = `${parents} ${command.name()}`;
  return [
    `.SS ${quoted(`${whole} ${command.usage()}`)}`,
    text(sentence(command.description())),
    ...help.visibleArguments(command).flatMap((each) => tagged(italic(each.name()), argumentWords(each))),
    ...help.visibleOptions(command).flatMap((each) => tagged(bold(each.flags), help.optionDescription(each))),
    ...(examples.length > 0 ? ['.PP', 'Examples:', '.EX', ...examples.map(text), '.EE'] : []),
    ...shown(command).flatMap((inner) => commandLines(inner, whole)),
  ];
}

const argumentWords = ({ description, argChoices = [] }: Argument): string =>
  argChoices.length > 0 ? `${description} (${argChoices.join(', ')})` : description;

const sentence = (words: string): string => `${words.slice(0, 1).toUpperCase()}${words.slice(1)}.`;

/** What `--help` shows below the flags: commander keeps it as a listener, so it is printed to be read. */
function examplesOf(command: Command): string[] {
  let printed = '';
  const before = command.configureOutput();
  command.configureOutput({
    ...before,
    writeOut: (part) => {
      printed += part;
    },
  });
  command.outputHelp();
  command.configureOutput(before);
  const [, examples = ''] = printed.split('\nExamples:\n');
  return examples.split('\n').filter((line) => line.trim() !== '');
}

const tagged = (term: string, words: string): string[] => ['.TP', term, text(words)];

const bold = (words: string): string => `\\fB${inline(words)}\\fR`;
const italic = (words: string): string => `\\fI${inline(words)}\\fR`;

/** A row of running text: nothing at its beginning is a request. */
const text = (words: string): string => inline(words).replace(/^([.'])/, '\\&$1');

/** As it stands: for roff a backslash, and a hyphen that people copy, have names of their own. */
const inline = (words: string): string =>
  words
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    // groff reads bytes.
    .replace(
      /[^\x00-\x7f]/gu,
      (sign) => `\\[u${(sign.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}]`,
    )
    .replace(/\s*\n\s*/g, ' ');

/** An argument of a request. */
const quoted = (words: string): string => `"${inline(words).replaceAll('"', '\\(dq')}"`;
