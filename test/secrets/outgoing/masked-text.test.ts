// What goes out of a text that grows, whatever the pieces it comes in.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Text } from '../../../src/domain/state/text.ts';
import { findSecrets } from '../../../src/secrets/find-secrets.ts';
import { masked } from '../../../src/secrets/masked.ts';
import { MaskedText } from '../../../src/secrets/outgoing/masked-text.ts';
import { runs } from '../../support/runs.ts';
import { passwords } from '../made.ts';
import { pem, samples, word } from '../samples.ts';

/** Grows, and is read as a reader of an answer reads it. */
class Growing {
  #text = Text.empty;
  readonly masked: MaskedText;
  out = '';

  constructor(values: readonly string[] = [], exempt?: () => readonly (readonly [number, number])[]) {
    const source = {
      get length() {
        return grown().length;
      },
      slice: (from?: number, to?: number) => grown().slice(from, to),
      charCodeAt: (at: number) => grown().charCodeAt(at),
    };
    const grown = () => this.#text;
    this.masked = new MaskedText(source, { find: findSecrets, values, ...(exempt && { exempt }) });
  }

  says(more: string): string {
    this.#text = this.#text.append(more);
    const fresh = this.masked.take(false);
    this.out += fresh;
    return fresh;
  }

  ends(): string {
    this.out += this.masked.take(true);
    return this.out;
  }
}

const whole = (text: string): string => masked(text, findSecrets(text));

/** @param cuts where the pieces end */
function inPieces(text: string, cuts: readonly number[]): Growing {
  const growing = new Growing();
  const places = [...cuts.map((cut) => cut % (text.length + 1)), text.length].sort((a, b) => a - b);
  let from = 0;
  for (const to of places) {
    growing.says(text.slice(from, to));
    from = to;
  }
  growing.ends();
  return growing;
}

const [, token] = samples[0] as readonly [string, string];
const [password = ''] = passwords('with symbols', 1);

const texts: readonly (readonly [name: string, text: string, secret: string])[] = [
  ['a token in a sentence', `Use ${token} for it, and nothing else.\nBye.`, token],
  ['a password', `Here you are.\n\nPassword: ${password}\n\nThat is all.`, password],
  ['a password below its name', `## Password\n\n${password}\n\nThat is all.`, password],
  ['a login', `Login: bob / ${password}\nBye.`, password],
  [
    'a table',
    `| User | Password |\n|---|---|\n| ada | x |\n| bob | ${password.replaceAll('|', '!')} |\n\nBye.`,
    password.replaceAll('|', '!'),
  ],
  ['a private key', `Here:\n${pem}\nBye.`, pem.split('\n')[3] ?? ''],
  ['an IBAN', 'Send it to DE89 3704 0044 0532 0130 00 today.', '3704 0044 0532'],
  ['a card', 'It is 4539 1488 0343 6467, I think.', '0343 6467'],
  ['recovery codes', 'Recovery codes:\n\n1234-5678\n8765-4321\n\nBye.', '8765-4321'],
  ['a bearer token', `Authorization: Bearer ${word(40)}\nBye.`, word(40)],
];

test.each(texts)('%s goes out as its kind, wherever it is cut', (_, text, secret) => {
  expect(whole(text)).not.toContain(secret);
  for (let cut = 0; cut <= text.length; cut += 1) expect(inPieces(text, [cut]).out).toBe(whole(text));
});

test.each(texts)('%s goes out as its kind when each sign comes alone', (_, text) => {
  expect(
    inPieces(
      text,
      Array.from(text, (_sign, at) => at),
    ).out,
  ).toBe(whole(text));
});

test('whatever the text and the pieces, it goes out as if it had come whole', () => {
  const piece = fc.oneof(
    fc.constantFrom(...texts.map(([, text]) => text)),
    fc.constantFrom('\n', '\n\n', ' ', 'and so on. ', 'It is done.\n', '- one\n- two\n'),
    fc.lorem({ maxCount: 3, mode: 'sentences' }),
  );
  const text = fc.array(piece, { maxLength: 8 }).map((pieces) => pieces.join('\n'));
  fc.assert(
    fc.property(text, fc.array(fc.nat({ max: 3_000 }), { maxLength: 12 }), (all, cuts) => {
      const growing = inPieces(all, cuts);
      expect(growing.out).toBe(whole(all));
      expect(growing.masked.said.slice()).toBe(growing.out);
      expect(growing.masked.said.length).toBe(growing.out.length);
    }),
    { numRuns: runs(300) },
  );
});

test('words go out as they come, but for the last one', () => {
  const growing = new Growing();
  expect(growing.says('The weather is fi')).toBe('The weather is ');
  expect(growing.says('ne to')).toBe('fine ');
  expect(growing.says('day.\n')).toBe('today.\n');
  expect(growing.masked.waits).toBe(false);
  expect(growing.says('And')).toBe('');
  expect(growing.masked.waits).toBe(true);
  expect(growing.ends()).toBe('The weather is fine today.\nAnd');
});

test('a line that names a secret waits for its end, and no longer than 400 characters', () => {
  const growing = new Growing();
  expect(growing.says('Your password is not ')).toBe('');
  expect(growing.says('here.\n')).toBe('Your password is not here.\n');
  const long = 'a password manager is what we want. '.repeat(20);
  expect(growing.says(long).length).toBeGreaterThan(long.length - 450);
});

test('a secret that goes on behind a pause is still hidden', () => {
  const growing = new Growing();
  growing.says(`Use ${token.slice(0, 8)}`);
  growing.out += growing.masked.take(true);
  growing.says(`${token.slice(8)} now.`);
  expect(growing.ends()).toBe(`Use ${token.slice(0, 8)}‹secret: GitHub token› now.`);
  expect(growing.masked.count).toBe(1);
});

test('a key that goes on and on is one mark', () => {
  const growing = new Growing();
  const key = pem.split('\n');
  const long = [key[0], ...Array.from({ length: 120 }, () => word(64)), key.at(-1)].join('\n');
  for (const line of `Here:\n${long}\nBye.\n`.split(/(?<=\n)/)) growing.says(line);
  expect(growing.ends()).toBe(`Here:\n‹secret: private key›${'\n'.repeat(121)}\nBye.\n`);
  expect(growing.masked.count).toBe(1);
});

test('two secrets side by side are two marks', () => {
  const growing = new Growing();
  growing.says(`${token}\n${token}\n`);
  expect(growing.ends()).toBe('‹secret: GitHub token›\n‹secret: GitHub token›\n');
  expect(growing.masked.count).toBe(2);
});

test('what is known by its value is hidden, cut anywhere and in the forms of JSON and addresses', () => {
  const value = 'not so "secret" at all';
  const text = `It is ${value}, ${JSON.stringify(value)} or ?t=${encodeURIComponent(value)}. Bye.`;
  for (let cut = 0; cut <= text.length; cut += 1) {
    const growing = new Growing([value, 'short']);
    growing.says(text.slice(0, cut));
    growing.says(text.slice(cut));
    const mark = '‹secret: known to the bridge›';
    expect(growing.ends()).toBe(`It is ${mark}, "${mark}" or ?t=${mark}. Bye.`);
  }
});

test('a short value hides nothing', () => {
  const growing = new Growing(['info']);
  growing.says('info: it runs\n');
  expect(growing.ends()).toBe('info: it runs\n');
});

test('where a person decides, only values are hidden', () => {
  const value = 'the-value-of-the-bridge';
  const text = `curl -u ada:gr33nTea ${value} x\n`;
  const growing = new Growing([value], () => [[0, text.length]]);
  growing.says(text);
  growing.says('Password: hunter2\n');
  expect(growing.ends()).toBe(
    'curl -u ada:gr33nTea ‹secret: known to the bridge› x\nPassword: ‹secret: password›\n',
  );
});

test('up to a limit, nothing behind it is read', () => {
  const growing = new MaskedText('one two\nthree', { find: findSecrets, values: [] });
  expect(growing.take(true, 5)).toBe('one t');
  expect(growing.take(true, 5)).toBe('');
  expect(growing.take(true)).toBe('wo\nthree');
});

test('words of our own come behind it', () => {
  const growing = new Growing();
  growing.says('Done.');
  growing.ends();
  growing.masked.add(' Bye.');
  expect(growing.masked.said.slice()).toBe('Done. Bye.');
  expect(growing.masked.said.slice(-4)).toBe('Bye.');
  expect(growing.masked.said.slice(2, 7)).toBe('ne. B');
  expect(growing.masked.said.charCodeAt(6)).toBe('B'.charCodeAt(0));
});
