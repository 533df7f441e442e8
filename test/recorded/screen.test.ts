import { expect, test } from 'vitest';
import { maskedScreen } from './screen.ts';

test('a screen keeps its words and loses paths, versions, ids, hints, widths and empty rows', () => {
  const rows = (home: string, version: string, id: string, hint: string, width: number) => [
    '─'.repeat(width),
    '',
    ` Claude Code v${version} at ${home}/work`,
    `❯\u00a0Try "${hint}"`,
    ` │ settings-${id}.json${' '.repeat(width)}│   `,
  ];
  const one = maskedScreen(rows('/tmp/a', '2.1.330', '450b2bb6d47dcf98', 'fix it', 80), {
    '/tmp/a': '‹home›',
  });
  const other = maskedScreen(rows('/home/me', '2.2.0', '00aa11bb22', 'say "hi"', 120), {
    '/home/me': '‹home›',
  });
  expect(one).toEqual([
    '───',
    ' Claude Code v‹version› at ‹home›/work',
    '❯ Try ‹hint›',
    ' │ settings-‹id›.json  │',
  ]);
  expect(other).toEqual(one);
});

test('the mark of a waiting call may be lit or not', () => {
  expect(maskedScreen(['● Making a file'], {})).toEqual(maskedScreen(['  Making a file'], {}));
});

test('how long a turn took is no part of a screen', () => {
  expect(maskedScreen(['✻ Cooked for 0s · done 4:58 PM', '✻ Loading'], {})).toEqual([
    '✻ ‹how long›',
    '✻ Loading',
  ]);
});
