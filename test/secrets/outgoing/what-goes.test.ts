// What goes of a text that grows and what waits, and from where it is read again: with a finder of the test's own, so
// that each bound shows by itself.
import { describe, expect, test } from 'vitest';
import { MaskedText, type MaskOptions } from '../../../src/secrets/outgoing/masked-text.ts';
import type { Place } from '../../../src/secrets/secret.ts';

const kind = 'x';
const mark = '‹secret: x›';

/** All between angle brackets; what is not closed goes on to the end. */
const bracketed = (text: string): Place[] =>
  [...text.matchAll(/<[^>]*>?/g)].map(({ 0: all, index }) => ({
    start: index,
    end: index + all.length,
    kind,
  }));

/** Each of these texts, where it stands. */
const these =
  (...secrets: string[]) =>
  (text: string): Place[] =>
    secrets
      .flatMap((secret) => {
        const start = text.indexOf(secret);
        return start < 0 ? [] : [{ start, end: start + secret.length, kind }];
      })
      .sort((a, b) => a.start - b.start);

class Grown {
  text = '';
  /** What the finder was given. */
  readonly read: string[] = [];
  /** How often the source was looked into. */
  looks = 0;
  readonly masked: MaskedText;

  constructor({ find = bracketed, values = [], ...more }: Partial<MaskOptions> = {}) {
    const all = () => this.text;
    const looks = () => {
      this.looks += 1;
    };
    const source = {
      get length() {
        return all().length;
      },
      slice(from?: number, to?: number) {
        looks();
        return all().slice(from, to);
      },
      charCodeAt: (at: number) => all().charCodeAt(at),
    };
    const found = (text: string) => {
      this.read.push(text);
      return find(text);
    };
    this.masked = new MaskedText(source, { find: found, values, ...more });
  }

  says(more: string): string {
    this.text += more;
    return this.masked.take(false);
  }

  pauses(more = ''): string {
    this.text += more;
    return this.masked.take(true);
  }

  /** What is read again once all this has gone, and more has come. */
  again(): string | undefined {
    this.pauses();
    this.pauses(' abcdefghijklmn1 ');
    return this.read.at(-1)?.replace(/ abcdefghijklmn1 $/, '');
  }
}

const grown = (text: string, options?: Partial<MaskOptions>) => Object.assign(new Grown(options), { text });

describe('a secret that reaches into what waits', () => {
  test('waits whole, until it is over', () => {
    const open = grown('');
    expect(open.says('One, 123456.\n<two\nthree fo')).toBe('One, 123456.\n');
    expect(open.says('ur fi')).toBe('');
    expect(open.says('ve> and s')).toBe(`${mark} and `.replace('›', '›\n'));
    expect(open.masked.count).toBe(1);
  });

  test('does not hold those before it', () => {
    const open = grown('');
    expect(open.says('<123456> and <two thr')).toBe(`${mark} and `);
  });

  test('is none that ends where the rest begins to wait', () => {
    const open = grown('', { find: these('123456 ') });
    expect(open.says('It is 123456 now')).toBe(`It is ${mark}`);
  });

  test('goes as far as it is known from 2,000 characters on', () => {
    const secret = `<123456 ${'a b '.repeat(490)}`;
    const just = grown('');
    expect(just.says(`One ${secret.padEnd(2_000, ' ')}c`)).toBe('One ');
    const more = grown('');
    expect(more.says(`One ${secret.padEnd(2_001, ' ')}c`)).toBe(`One ${mark}`);
    const behind = grown('');
    expect(behind.says(`${'fine '.repeat(300)}<123456 ${'a b '.repeat(200)}c`)).toBe('fine '.repeat(300));
  });

  test('that has begun to go goes on, and is one', () => {
    const open = grown('');
    expect(open.pauses('Use <123456 an')).toBe(`Use ${mark}`);
    expect(open.says('d so\non and so fo')).toBe('\n');
    expect(open.says('rth>. Bye\n')).toBe('. Bye\n');
    expect(open.masked.count).toBe(1);
  });
});

describe('nothing goes twice', () => {
  test('where what has gone would wait now', () => {
    const open = grown('');
    expect(open.pauses('<123456\nret')).toBe(`${mark}\n`);
    expect(open.says(' password')).toBe('');
    expect(open.masked.count).toBe(1);
    expect(open.pauses('> is it.\n')).toBe(' is it.\n');
    expect(open.masked.said.slice()).toBe(`${mark}\n is it.\n`);
  });

  test('and no mark comes before what it stands for', () => {
    const open = grown('', { find: these('cd ef') });
    expect(open.says('abcdefghijklmn1 cd ')).toBe('abcdefghijklmn1 cd ');
    expect(open.says('ef')).toBe('');
    expect(open.says('.\n')).toBe(`${mark}.\n`);
  });

  test('nor one for what has gone as it was', () => {
    const open = grown('', { find: (text) => (text.includes(' ef') ? these('yz')(text) : []) });
    expect(open.pauses('abcdefghijklmn1 yz')).toBe('abcdefghijklmn1 yz');
    expect(open.says(' ef.\n')).toBe(' ef.\n');
    expect(open.masked.count).toBe(0);
  });

  test('and the text is not looked into where nothing has come', () => {
    const open = grown('');
    expect(open.says('It rains.\n')).toBe('It rains.\n');
    const { looks } = open;
    expect([open.says(''), open.pauses(), open.masked.take(true, 3)]).toEqual(['', '', '']);
    expect(open.looks).toBe(looks);
  });
});

describe('a mark', () => {
  /** What is secret changes with what comes. */
  const changing = (first: string, then: string) =>
    grown('', { find: (text) => these(text.includes(then) ? then : first)(text) });

  test('stands for a secret that turns out to begin earlier, and to go on', () => {
    const open = changing('123456', 'is 123456 789');
    expect(open.pauses('It is 123456')).toBe(`It is ${mark}`);
    expect(open.says(' 789.\n')).toBe('.\n');
    expect(open.masked.count).toBe(1);
  });

  test('stands for it where only ends of lines have gone between', () => {
    const open = changing('123456', '123456\n \n789');
    expect(open.pauses('It is 123456\n \n')).toBe(`It is ${mark}\n \n`);
    expect(open.says('789.\n')).toBe('.\n');
    expect(open.masked.count).toBe(1);
  });

  test('comes again where words have gone between', () => {
    const open = changing('123456', '123456 or 789');
    expect(open.pauses('It is 123456 or')).toBe(`It is ${mark} or`);
    expect(open.says(' 789.\n')).toBe(`${mark}.\n`);
    expect(open.masked.count).toBe(2);
  });

  test('comes for each of two secrets side by side', () => {
    const open = grown('', { find: these('123456', '789') });
    expect(open.pauses('123456789.\n')).toBe(`${mark}${mark}.\n`);
    expect(open.masked.count).toBe(2);
  });
});

describe('what is secret by its value', () => {
  const value = 'the-value-of-it';
  const own = '‹secret: known to the bridge›';

  test('stands before what the finder finds over it', () => {
    const open = grown('', { values: [value], find: these(`${value} 1`, '123456', '<2>', '<3>') });
    expect(open.pauses(`123456 <2>${value}<3> ${value} 1`)).toBe(`${mark} ${mark}${own}${mark} ${own} 1`);
  });

  test('counts where it stands inside of what the finder finds', () => {
    const open = grown('', { values: [value], find: these(`<1 ${value} 1>`) });
    expect(open.pauses(`<1 ${value} 1>`)).toBe(`<1 ${own} 1>`);
  });

  test('is all that is looked for where nothing may be secret', () => {
    const open = grown('', { values: [value] });
    expect(open.pauses(`<x> ${value}.`)).toBe(`<x> ${own}.`);
    expect(open.read).toEqual([]);
  });
});

test('where a person decides, what touches the stretch from outside is hidden', () => {
  const open = grown('', { exempt: () => [[8, 11]] });
  expect(open.pauses('<123456><x><y> <z')).toBe(`${mark}<x>${mark} ${mark}`);
  const before = grown('', {
    exempt: () => [
      [0, 0],
      [11, 20],
    ],
  });
  expect(before.pauses('<123456> <x\n')).toBe(`${mark} <x\n`);
  const later = grown('', { exempt: () => [[23, 26]] });
  later.pauses('It rains.\nIt, 123456.\n\n');
  expect(later.pauses('<x><y>\n')).toBe(`<x>${mark}\n`);
});

describe('from where it is read again', () => {
  const line = 'It rains.\n';
  const lines = (count: number) => line.repeat(count);

  test.each([
    ['the line that is not over, and the one before it', `${lines(3)}And so`, `${line}And so`],
    ['the last line, and the one before it', lines(4), lines(2)],
    ['all of one line', 'And so', 'And so'],
    ['the line of a name', `${line}A pwd\n${lines(5)}And so`, `A pwd\n${lines(5)}And so`],
    ['the line of the first name', `${line}A pwd\nA pwd\n${lines(5)}`, `A pwd\nA pwd\n${lines(5)}`],
    ['the line of a name of many lines', `${line}The codes\n${lines(99)}`, `The codes\n${lines(99)}`],
  ])('%s', (_, text, from) => expect(grown(text).again()).toBe(from));

  test('a name counts for 400 characters, and one of many lines for 2,500', () => {
    const again = (name: string, count: number) => grown(`${lines(300)}${name}\n${lines(count)}`).again();
    expect(again('A pwd', 39)).toBe(`A pwd\n${lines(39)}`);
    expect(again('A pwd', 40)).toBe(lines(2));
    expect(again('A mfa', 249)).toBe(`A mfa\n${lines(249)}`);
    expect(again('A mfa', 250)).toBe(lines(2));
  });

  test('of a long line, the end', () => {
    expect(grown('it rains '.repeat(1_000)).again()).toBe('it rains '.repeat(1_000).slice(-5_000));
  });

  describe('a table that is not over', () => {
    const row = '| it rains | and  rains|\n';
    const rows = (count: number) => row.repeat(count);
    const again = (table: string) => grown(`${lines(3)}${table}`).again();

    test.each(['| User | Pwd |\n', 'Pwd | User\n', `${rows(15)}| Pwd |\n`])(
      'from its head, as %j',
      (head) => {
        for (const count of [30, 300]) {
          const table = `${head}${rows(count)}| and |`;
          expect(again(table)).toBe(table);
          expect(grown(table).again()).toBe(table);
        }
        expect(again(`${head}${rows(30)}And so`)).toBe(`${row}And so`);
      },
    );

    test.each(['', `${rows(16)}| Pwd |\n`, `Pwd:\n${rows(20)}`])('not from a head as %j', (head) =>
      expect(again(`${head}${rows(30)}| and |`)).toBe(`${row}| and |`),
    );

    test('from 12,000 characters back, where a part of its head is there', () => {
      const head = `| User | ${' '.repeat(16)}Pwd |\n`;
      const all = (count: number) => `${head}${rows(count)}| and |`;
      expect(row.length * 480).toBe(12_000);
      expect(again(all(478))).toBe(all(478));
      expect(again(all(479))).toBe(all(479).slice(-12_007));
      expect(again(all(480))).toBe(`${row}| and |`);
    });
  });

  describe('a secret that is not over', () => {
    test('from its line', () => {
      expect(grown(`${line}So <123456\n${lines(400)}`).again()).toBe(`So <123456\n${lines(400)}`);
      expect(grown(`${line}So <123456>\n${lines(9)}`).again()).toBe(lines(2));
    });

    test('up to 30,000 characters', () => {
      const secret = `<123456 its\n${lines(4_000)}`;
      const again = (length: number) => grown(`${line}So ${secret.slice(0, length)}`).again();
      expect(again(30_000)).toBe(`So ${secret.slice(0, 30_000)}`);
      expect(again(30_001)).toBe('It rains.');
    });
  });
});
