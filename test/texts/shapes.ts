// Texts that make slow code slow: what a rule begins to match again and again, and never ends.

/** A text of about `length` characters. */
export type Shape = (length: number) => string;

const repeated =
  (unit: string): Shape =>
  (length) =>
    unit.repeat(Math.ceil(length / unit.length));

/** A run with something in front and something behind it that ends no match. */
const between =
  (head: string, unit: string, tail: string): Shape =>
  (length) =>
    head + repeated(unit)(length) + tail;

const esc = '\u001b';

export const shapes: Readonly<Record<string, Shape>> = {
  letters: repeated('a'),
  'blanks between letters': between('a', ' ', 'b'),
  'blanks behind a verdict': between('yes kqzfd', ' ', '\u0000'),
  tabs: between('a', '\t', 'b'),
  newlines: between('a', '\n', 'b'),
  'carriage returns': between('a', '\r', 'b'),
  'Windows line ends': between('a', '\r\n', 'b'),
  'no-break spaces': between('x', '\u00a0', 'b'),
  'line separators': between('a', '\u2028', 'b'),
  'blanks at line ends': between('a', '  \n', 'b'),
  fences: repeated('```'),
  'fences on lines': repeated('```\n'),
  backslashes: repeated('\\'),
  'at signs': repeated('@'),
  mentions: repeated(' @a'),
  brackets: repeated('['),
  'links without an end': repeated('[a]('),
  stamps: repeated('[Mon 2026-01-01 00:00 a'),
  'media lines': repeated('[media attached: a]\n'),
  'media lines without an end': repeated('[media attached: a'),
  'escape and bracket': repeated(`${esc}[`),
  'an unfinished CSI of parameters': between(`${esc}[`, '0;', 'é'),
  'unfinished CSIs': repeated(`${esc}[0;`),
  'CSIs of blanks': repeated(`${esc}[  `),
  'escape and blanks': between(esc, ' ', 'é'),
  'unfinished OSCs': repeated(`${esc}]0;a`),
  'unfinished OSCs in their C1 form': repeated('\u009d'),
  'unfinished strings of every C1 form': repeated('\u0090\u0098\u009da\u009e\u009f'),
  'C1 CSIs': repeated('\u009b0'),
  'string terminators': repeated('\u009c'),
  'a tower of marks': between('a', '\u0301', ''),
  'marks by fives': repeated('a\u0301\u0301\u0301\u0301\u0301'),
  'halves of characters': repeated('\ud83d'),
  emoji: repeated('😀'),
  'families without an end': repeated('👨\u200d'),
  joiners: repeated('\u200d'),
  'letters and joiners': repeated('\u0627\u200d'),
  'emoji styles': repeated('❤\ufe0f'),
  flags: repeated('🇩'),
  'bidi controls': repeated('\u202e'),
  'Chinese letters': repeated('漢'),
  'quotation marks': repeated('"'),
  'nested JSON': repeated('[{"a":'),
  'JSON arrays': repeated('['),
  'less-than signs': repeated('<'),
  'forged wrappers': repeated('<\\pasted_content'),
  'forged wrappers without an end': repeated('<pasted_content id="'),
  'quoted text without an end': repeated('<untrusted-text>'),
  conversations: repeated('<conversation>'),
  'channel blocks without an end': repeated('<channel source="a">'),
  'image names': repeated('.png'),
  'an image name and dashes': between('.png', '-', 'a'),
  'addresses of images': repeated('a.png\n'),
  dots: repeated('.'),
  courtesies: repeated('hello, '),
  'hexadecimal digits': repeated('deadbeef'),
  'beginnings of ids': repeated('deadbeef-'),
  'web addresses': repeated('http://'),
  'names of users': repeated('[User a'),
  'heads of queued messages': repeated(
    '[Queued user message that arrived while the previous turn was still active]\n',
  ),
  'heads of senders': repeated('Sender (untrusted metadata):\n```json\n{'),
  'Runtime lines': repeated('\n\nRuntime: agent='),
  'rules of a box': repeated('─'),
  'prompt signs': repeated('❯ '),
  headings: repeated('## a\n'),
  'words of two letters': repeated('ä '),
  'pairs of pipes': repeated('||'),
  stars: repeated('*'),
  dashes: repeated('-'),
  'equals signs': repeated('='),
  colons: repeated(':'),
  slashes: repeated('/'),
  'single quotes': repeated("'"),
  'opening braces': repeated('{'),
  'braces of a shell': repeated('{a,'),
  'substitutions without an end': repeated('$('),
  'variables without an end': repeated('${a:-'),
  'marks of options': between('--a', '=:@,', 'b'),
};
