// Programs that run the words behind them: which words those are.
import { expect, test } from 'vitest';
import { knownReach } from '../../../src/domain/policy/programs/known.ts';
import { simpleCommands } from '../../../src/domain/policy/shell.ts';
import { literal, type ShellWord } from '../../../src/domain/policy/shell-word.ts';

const said = (word: ShellWord) => literal(word) ?? '?';

/** The commands that the first one of a line runs, each with the variables that are set for it. */
function runs(line: string): string[] | undefined {
  const [first] = simpleCommands(line) ?? [];
  return (
    first &&
    knownReach(first)?.inner.map(({ words, assigned }) =>
      [...assigned.map(({ name, value }) => `$${name}=${said(value)}`), ...words.map(said)].join(' '),
    )
  );
}

test.for([
  ['env', []],
  ['env ls x', ['ls x']],
  ['env A=1 b2=x=y ls C=1', ['$A=1 $b2=x=y ls C=1']],
  ['env A=1', ['$A=1']],
  ['env A="$x"y ls', ['$A=? ls']],
  ["env 'A=x\ny' ls", ['$A=x\ny ls']],
  ['env 1A=x ls', ['1A=x ls']],
  ['env xA-B=x ls', ['xA-B=x ls']],
  ['command x-v', ['x-v']],
  ['env -u A -C x ls', ['ls']],
  ['nice A=1 ls', ['A=1 ls']],
  ['nohup ls -x', ['ls -x']],
  ['timeout 5 ls', ['ls']],
  ['timeout -k 1 5 ls', ['ls']],
  ['timeout 5', []],
  ['sudo -u x A=1 ls', ['$A=1 ls']],
  ['command -v rm', []],
  ['command -vV rm', []],
  ['command -p ls', ['ls']],
  ['xargs', []],
  ['xargs -n 1', []],
  ['xargs ls -x', ['ls -x ?']],
  ['xargs -I{} ls {} x{}y z', ['ls ? ? z']],
  ['xargs -I {} ls "$HOME" z', ['ls ? z']],
  ['xargs -I{} ls x"$y"', ['ls ?']],
  ["sh -c 'ls; cat x'", ['ls', 'cat x']],
  ["bash -euxlc 'ls'", ['ls']],
  ['eval ls "x; cat" y', ['ls x', 'cat y']],
  ['eval', []],
  ['find . -exec ls {} \\; -exec cat x{}y z + -ok head \\;', ['ls ?', 'cat ? z', 'head']],
] as const)('%j', ([line, inner]) => expect(runs(line)).toEqual(inner));

test.for([
  ...[
    'env -x ls',
    'timeout -x 5 ls',
    'nohup -x ls',
    'xargs -x0y ls',
    'xargs -a x ls',
    'xargs -I "$x" ls',
    'env "-$x" ls',
  ],
  ...[
    'sh',
    'sh x',
    'sh -c',
    'sh -c "$x"',
    'sh -xc',
    'sh -ci ls',
    'sh +c ls',
    'sh x-c ls',
    'sh -rc ls',
    "sh -c '('",
  ],
  ...[
    'eval "$x"',
    'eval ls "$x"',
    "eval '('",
    'command -vx rm',
    'env "$x"=1 ls',
    'find . -exec ls',
    'find . -exec ls x -print',
  ],
])('of %j nothing is known', (line) => {
  expect(simpleCommands(line)).toHaveLength(1);
  expect(runs(line)).toBeUndefined();
});

test.for([
  'env -i0v -u x -C x --ignore-environment --null --unset=x --chdir=x',
  'builtin',
  'exec -cl -a x',
  'nocorrect',
  'noglob',
  'setsid -cfw --ctty --fork --wait',
  '/usr/bin/time -pva -f x -o x --portability --verbose --format=x --output=x',
  'timeout -fpv -s x -k 1 --signal=x --kill-after=1 --foreground --preserve-status --verbose 5',
  'nice -5 -n 5 --adjustment=5',
  'ionice -t -c 3 -n 1 --class=3 --classdata=1 --ignore',
  'stdbuf -i0 -o L -e 0 --input=0 --output=0 --error=0',
  'caffeinate -dimsu -t 5 -w 5',
  'sudo -nEHSkb -u x -g x --non-interactive --user=x --group=x --preserve-env',
  'doas -n -u x',
])('%s runs what stands behind it', (line) => expect(runs(`${line} ls -x`)).toEqual(['ls -x']));

test('xargs has its own options before what it runs', () => {
  const own = '-0rtx -n 1 -P1 -L 1 -d x -s 9 -E x --null --no-run-if-empty --verbose --exit';
  const line = `xargs ${own} --max-args=1 --max-procs=1 --delimiter=x --max-chars=9 ls -x`;
  expect(runs(line)).toEqual(['ls -x ?']);
});
