// Notes out of made-up words, the same ones each time. Words are as frequent as those of a language are: the n-th one is
// used n times less often than the first.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { seeded } from '../../test/support/seeded.ts';

const vocabulary = 60_000;
const perFolder = 100;

const syllables = [...'bdfgklmnprstvz'].flatMap((first) => [...'aeiou'].map((second) => first + second));
const endings = ['', '', '', 's', 'ed', 'ing'];

/** @param rank from 1, the most frequent first: it is the shortest, too */
function wordOf(rank: number): string {
  let word = '';
  for (let rest = rank; rest > 0; rest = Math.floor(rest / syllables.length))
    word += syllables[rest % syllables.length];
  return word;
}

const words = Array.from({ length: vocabulary }, (_, at) => wordOf(at + 1));

type Random = () => number;

const below = (random: Random, end: number): number => Math.floor(random() * end);

/** @param commonest the most frequent one that it can be: those before it are asked for by nobody */
const word = (random: Random, commonest = 1): string =>
  `${words[Math.floor(commonest * (vocabulary / commonest) ** random()) - 1]}${endings[below(random, endings.length)]}`;

function paragraph(random: Random, length: number): string {
  let text = word(random);
  while (text.length < length) text += `${random() < 0.08 ? '.' : ''} ${word(random)}`;
  return `${text}.`;
}

const title = (random: Random): string => `${word(random, 50)} ${word(random, 50)}`;

function noteOf(random: Random, notes: number): string {
  const lines = ['---', `title: ${title(random)}`, `tags: [${word(random, 50)}]`, '---', ''];
  const sections = 2 + below(random, 8);
  for (let n = 0; n < sections; n += 1) {
    lines.push(`## ${title(random)}`, '');
    lines.push(paragraph(random, 700 + below(random, 1200)), '');
    if (random() < 0.15) lines.push(`- see [[note-${below(random, notes)}]] #${word(random, 50)}`, '');
    if (random() < 0.1) lines.push('```sh', `${word(random)} --${word(random)}=${word(random)}`, '```', '');
  }
  return lines.join('\n');
}

/** Writes so many notes into a folder, about 7.5 kB each. */
export function fillVault(dir: string, notes: number): void {
  const random = seeded(notes);
  for (let n = 0; n < notes; n += 1) {
    const folder = join(dir, `folder-${Math.floor(n / perFolder)}`);
    if (n % perFolder === 0) mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, `note-${n}.md`), noteOf(random, notes));
  }
}

/** Questions of two to five words that are in some of the notes, and in few of them. */
export function questionsTo(count: number): string[] {
  const random = seeded(count);
  return Array.from({ length: count }, () =>
    Array.from({ length: 2 + below(random, 4) }, () => word(random, 50)).join(' '),
  );
}
