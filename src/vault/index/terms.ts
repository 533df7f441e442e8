// What of a text the full-text index sees, and what of a question it is asked. Pure.

/** Scripts that put no blanks between words: each run is indexed as its pairs of characters. */
const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\u3005\u30fc]+/gu;

/** Of a question; nobody writes longer ones, UTF-16 units. */
const longestWord = 100;
/** Longer runs of a question say nothing more. */
const longestRun = 40;
/** Different words of a question that are looked for. */
const mostTerms = 32;

/** The text as it is handed to FTS5, whose tokenizer knows only words between blanks. */
export function indexed(text: string): string {
  // Full-width letters are letters.
  const plain = text.normalize('NFKC');
  return plain.replace(unspaced, (run) => ` ${pairs(run).join(' ')} `);
}

/** `日本語` → `日本`, `本語`, `語`: the last one alone, so that each character begins a term. */
function pairs(run: string): string[] {
  const characters = [...run];
  return characters.map((character, at) => character + (characters[at + 1] ?? ''));
}

/**
 * The question in the language of FTS5: any of its words, and runs like `gateway.token` once more as a phrase.
 *
 * @returns undefined when there is nothing in it to look for
 */
export function matchOf(question: string): string | undefined {
  const plain = question.normalize('NFKC').toLowerCase();
  const terms = new Set<string>();
  for (const [quoted, phrase = '', word = ''] of plain.matchAll(/"([^"]+)"|([^\s"]+)/g)) {
    if (terms.size >= mostTerms) break;
    for (const term of quoted.startsWith('"') ? phraseTerms(phrase) : wordTerms(word)) terms.add(term);
  }
  const telling = [...terms].filter((term) => !stopWords.has(term.slice(1, -1)));
  const asked = (telling.length > 0 ? telling : [...terms]).slice(0, mostTerms);
  return asked.length > 0 ? asked.join(' OR ') : undefined;
}

function phraseTerms(phrase: string): string[] {
  const parts = lettersOf(indexed(phrase));
  return parts.length > 0 ? [quote(parts.slice(0, mostTerms).join(' '))] : [];
}

function wordTerms(word: string): string[] {
  const terms: string[] = [];
  const spaced = word.replace(unspaced, (run) => {
    terms.push(...runTerms([...run].slice(0, longestRun)));
    return ' ';
  });
  const parts = lettersOf(spaced).slice(0, mostTerms);
  if (parts.length > 1 && !spaced.includes(' ')) terms.push(quote(parts.join(' ')));
  return [...terms, ...parts.map(quote)];
}

/** Of one character alone: whatever begins with it. */
function runTerms(run: readonly string[]): string[] {
  if (run.length === 1) return [`${quote(run[0] ?? '')}*`];
  return run.slice(0, -1).map((character, at) => quote(character + (run[at + 1] ?? '')));
}

const lettersOf = (text: string): string[] =>
  (text.match(/[\p{L}\p{N}\p{M}]+/gu) ?? []).map((word) => word.slice(0, longestWord).toWellFormed());

/** It holds letters, digits and blanks only. */
const quote = (term: string): string => `"${term}"`;

/** What nearly every English sentence holds; a question made of nothing else is asked as it is. */
const stopWords = new Set(
  `a about above after again all also am an and any are as at be because been before being below between both but by
  can could did do does doing down during each few for from further get had has have having he her here hers him his
  how i if in into is it its just let like make many may me might more most much my no nor not now of off on once only
  or other our out over own per please same she should so some such than that the their them then there these they
  this those through to too under until up us use used using very via want was we were what when where which while who
  whom why will with would you your`
    .split(/\s+/)
    .filter(Boolean),
);
