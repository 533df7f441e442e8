// What templates say of a rule's `command`.
import type { Values } from '../fill.ts';

/** Signs that stand for themselves in a shell, so that a template can quote what it likes. */
const plain = /^[\w./:@%+,=-]{1,200}$/;

/** @returns undefined for a pattern whose signs a shell would read as something else */
export function commandValues(pattern: string): Values | undefined {
  const words = pattern
    .trim()
    .split(/\s+/)
    .map((word, index) => (word === '*' && index === 0 ? 'ls' : word.replaceAll('*', 'x')));
  if (words.length > 20 || !words.every((word) => plain.test(word))) return undefined;
  const [program = '', ...others] = words;
  const rest = [...others, 'x'].join(' ');
  const command = `${program} ${rest}`;
  const [first = ''] = program;
  const [sub1 = 'status', ...further] = others;
  return {
    words: words.join(' '),
    command,
    program,
    rest,
    base: program.split('/').at(-1) || undefined,
    PROGRAM: program.toUpperCase(),
    first,
    tail: program.slice(1),
    hex: `\\x${code(first, 16)}`,
    oct: `\\${code(first, 8).padStart(3, '0')}`,
    b64: btoa(command),
    hexall: [...command].map((sign) => code(sign, 16)).join(''),
    reversed: reversed(program),
    'command-reversed': reversed(command),
    commas: command.replaceAll(' ', ','),
    sub: [sub1, ...further].join(' '),
    sub1,
    'sub1-first': sub1.slice(0, 1),
    'sub1-tail': sub1.slice(1),
  };
}

const code = (sign: string, base: number): string => sign.charCodeAt(0).toString(base).padStart(2, '0');
const reversed = (text: string): string => [...text].reverse().join('');

/** Words that the shell runs itself: no other program can run them. */
export const builtins: ReadonlySet<string> = new Set(
  `alias bg bind builtin caller case cd command compgen complete coproc declare dirs disown do enable eval exec exit
   export fc fg for function getopts hash history if jobs let local logout mapfile popd pushd read readarray readonly
   return select set shift shopt source suspend time times trap type typeset ulimit umask unalias unset until wait
   while`.split(/\s+/),
);
