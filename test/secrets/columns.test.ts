import { expect, test } from 'vitest';
import { columns } from '../../src/secrets/passwords/columns.ts';

/** What is found, each as the text that its place has. */
const found = (text: string): string[] => [...columns(text)].map(({ start, end }) => text.slice(start, end));

test('the place and the kind are told', () => {
  expect([...columns('| Site | Password |\n|---|---|\n| a | hunter2 |\n')]).toEqual([
    { start: 36, end: 43, kind: 'password' },
  ]);
});

test.each<[string, string, string[]]>([
  ['bars around', '| A | Password |\n|---|---|\n| x | hunter2 |\n| y | winter7 |', ['hunter2', 'winter7']],
  ['no bars around', 'A | Password\n--- | ---\nx | hunter2', ['hunter2']],
  ['no bars around, first', 'Password | A\n--- | ---\nhunter2 | x', ['hunter2']],
  ['ends of lines from Windows', '| Password |\r\n|---|\r\n| hunter2 |\r\n', ['hunter2']],
  ['a quotation', '> | Password |\n> |---|\n> | hunter2 |', ['hunter2']],
  ['an indent', '  \t| Password |\n  |:-:|\n\t  | hunter2 |', ['hunter2']],
  ['an indent and no bars around', '> Password | A\n> -|-\n> hunter2 | A', ['hunter2']],
  ['bars around a row alone', 'A | Password\n-|-\n| x | hunter2 |', ['hunter2']],
  ['two columns', '| PW | Kennwort |\n|-:|:-|\n| hunter2 | winter7 |', ['hunter2', 'winter7']],
  ['a bar in a cell', '| Password |\n|---|\n| hunter\\|2 |', ['hunter\\|2']],
  ['a bar in a cell before', '| A | Password |\n|---|---|\n| x\\|y | hunter2 |', ['hunter2']],
  ['a short row', '| A | Password |\n|---|---|\n| x |\n| y | hunter2 |', ['hunter2']],
  ['a quoted value', '| Password |\n|---|\n| `hunter2` |', ['hunter2']],
  ['a head with an end', `| Password${' '.repeat(80)} |\n|---|\n| hunter2 |`, ['hunter2']],
  ['a long head', `| Password ${'x'.repeat(50)} |\n|---|\n| hunter2 |`, ['hunter2']],
  ['a head of two parts', '| Password NAS |\n|---|\n| hunter2 |', ['hunter2']],
  ['a head that only looks like one without its name', '| popasswordlicy |\n|---|\n| hunter2 |', ['hunter2']],
  ['two tables', 'PW|A\n-|-\nhunter2|x\n\nA|PW\n-|-\nsummer7|winter7', ['hunter2', 'winter7']],
])('finds values in a column: %s', (_, text, expected) => expect(found(text)).toEqual(expected));

test.each([
  ['no rows', '| Password |\n|---|'],
  ['no dashes', '| Password |\n| hunter2 |'],
  ['nothing above the dashes', '|---|---|\n| Password | hunter2 |'],
  ['no bar above the dashes', 'Password\n---|---\nhunter2 | x'],
  ['another column', '| A | Password |\n|---|---|\n| hunter2 | no |'],
  ['another table', '| Password |\n|---|\n\n| hunter2 |'],
  ['another name', '| Site |\n|---|\n| hunter2 |'],
  ['another matter', '| Password policy |\n|---|\n| hunter2 |'],
  ['a head that is a sentence', `| Password ${'x'.repeat(52)} |\n|---|\n| hunter2 |`],
  ['words', '| Password |\n|---|\n| is hunter2 |'],
  ['a plain word', '| Password |\n|---|\n| required |'],
  ['an empty cell', '| Password |\n|---|\n|  |'],
  ['dashes that a line ends in', '| Password |\n|--\r-|\n| hunter2 |'],
  ['dashes behind text', '| Password |\nx|---|\n| hunter2 |'],
  ['dashes before text', '| Password |\n|---|x\n| hunter2 |'],
  ['bars without dashes', '| Password |\n|:  |\n| hunter2 |'],
  ['one dash alone', 'A | Password\n-\nx | hunter2'],
  ['dashes far within', `| Password |\n${' '.repeat(21)}|---|\n| hunter2 |`],
])('finds nothing: %s', (_, text) => expect(found(text)).toEqual([]));

test('the row of dashes may stand far within', () => {
  expect(found(`| Password |\n${' >'.repeat(10)}|- :|\t|\n| hunter2 |`)).toEqual(['hunter2']);
});
