import { expect, test } from 'vitest';
import { kubernetesSecrets } from '../../src/secrets/kubernetes.ts';
import { word } from './samples.ts';

const found = (text: string): string[] =>
  [...kubernetesSecrets(text)].map(({ start, end, kind }) => `${kind}: ${text.slice(start, end)}`);
const secrets = (...values: string[]): string[] => values.map((value) => `Kubernetes secret: ${value}`);

const base64 = (length: number): string => Buffer.from(word(length)).toString('base64');
const [none, one, two] = [base64(21), base64(20), base64(19)];
const filler = (length: number): string => `${'#'.repeat(length - 1)}\n`;

test('its samples have each padding', () => {
  expect([none, one, two].map((each) => each.replace(/[^=]/g, ''))).toEqual(['', '=', '==']);
});

test.each([
  ['plain', `kind: Secret\ndata:\n  a: ${none}\n  b.c-d_1: ${one}\n  e:    ${two}  \n`],
  [
    'JSON',
    `{\n  "kind": "Secret",\n  "data": {\n    "a": "${none}",\n    "b": "${one}",\n    "c": "${two}"\n  }\n}`,
  ],
  ['quoted', `'kind':'Secret'\n'stringData':\n\t'a': '${none}'\n\t"b": "${one}"\n\tc: ${two}`],
  ['indented', `- x\n    kind:  Secret  \n    data:\n      a: ${none}\n      b: ${one} \n      c: ${two}`],
  ['of Windows', `kind: Secret\r\ndata:\r\n  a: ${none}\r\n  b: ${one}\r\n  c: ${two}\r\n`],
  ['with its kind at its end', `data:\n  a: ${none}\n  b: ${one}\n  c: ${two}\nkind: Secret\n`],
  [
    'with two kinds',
    `kind: Secret\nkind: Secret\ndata:\n  a: ${none}\n  b: ${one}\n  c: ${two}\nkind: Secret\n`,
  ],
  [
    'with rules that are no border',
    `kind: Secret\nx---\n---x\n--- x\ndata:\n  a: ${none}\n  b: ${one}\n  c: ${two}`,
  ],
])('finds its values where it is %s', (_, text) => expect(found(text)).toEqual(secrets(none, one, two)));

test.each([
  ['another kind', `kind: Secrets\ndata:\n  a: ${none}\n`],
  ['another kind in more words', `kind: Secret too\ndata:\n  a: ${none}\n`],
  ['a comment', `# kind: Secret\ndata:\n  a: ${none}\n`],
  ['no data', `kind: Secret\nmetadata:\n  a: ${none}\n`],
  ['what is not below its data', `kind: Secret\nmetadata:\n  a: ${none}\ndata:\n`],
  ['an entry in a comment', `kind: Secret\ndata:\n  # a: ${none}\n`],
  ['an entry at the beginning of a line', `kind: Secret\ndata:\na: ${none}\n`],
  ['an entry with more behind it', `kind: Secret\ndata:\n  a: ${none} x\n`],
  ['a short entry', `kind: Secret\ndata:\n  a: Ab1c\n`],
  ['no whole number of bytes', `kind: Secret\ndata:\n  a: ${none.slice(1)}\n`],
  ['a word', `kind: Secret\ndata:\n  a: readonly\n  b: READONLY\n  c: Readonly\n`],
  ['what stands in for one', `kind: Secret\ndata:\n  a: example1${none}\n`],
  ['data far before', `data:\n  a: ${none}\n${filler(4000)}kind: Secret\n`],
  ['data far behind', `kind: Secret\n${filler(4000)}data:\n  a: ${none}\n`],
])('finds nothing in %s', (_, text) => expect(found(text)).toEqual([]));

test('finds letters in both cases, and digits', () => {
  const [letters, digits] = ['qrstUvwx', 'qrst1vwx'];
  expect(found(`kind: Secret\ndata:\n  a: ${letters}\n  b: ${digits}\n`)).toEqual(secrets(letters, digits));
});

test.each(['---', '---  ', '---\t', '---\r'])('leaves out what stands behind and before %j', (border) => {
  const other = `kind: ConfigMap\ndata:\n  a: ${one}\n`;
  const text = `${other}${border}\nkind: Secret\ndata:\n  a: ${none}\n${border}\n${other}${border}\ndata:\n  a: ${two}\nkind: Secret`;
  expect(found(text)).toEqual(secrets(none, two));
});

test('reads on where it has stopped', () => {
  const head = `kind: Secret\ndata:\n  a: ${none}\n`;
  const text = `${head}${filler(4000 - head.length)}kind: Secret\ndata:\n  b: ${one}\n`;
  expect(found(text)).toEqual(secrets(none, one));
});
