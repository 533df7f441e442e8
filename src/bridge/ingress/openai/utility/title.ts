// OpenClaw asks a model for the title of every new session. The answer is made here: no session starts for it.

/** What OpenClaw's title prompt allows. */
const MAX_LENGTH = 60;
const MAX_WORDS = 6;
const FALLBACK = 'New conversation';

/** Made when it is needed: the rules of Unicode take as long to load as half of the bridge's schemas. */
const words = () => new Intl.Segmenter('und', { granularity: 'word' });
const courtesies = /^(?:(?:hi|hey|hello|hallo|please|bitte|ok|okay|so|well|thanks|danke)\b[\s,.!:;-]*)+/i;
const leadIn = /^(?:can|could|would|will) you (?:please )?|^i (?:want|need|would like|'d like) (?:you )?to /i;

/**
 * A short title from a first message: its first sentence, at most 6 words and 60 characters, first letter upper case.
 * In scripts without spaces a word is what the Unicode rules call one.
 */
export function titleOf(message: string): string {
  const sentence = firstSentence(message);
  const bare = sentence.replace(courtesies, '').replace(leadIn, '');
  const title = firstWords(bare.length > 0 ? bare : sentence);
  if (title === '') return FALLBACK;
  const [first = ''] = title;
  return first.toLocaleUpperCase('en') + title.slice(first.length);
}

function firstSentence(message: string): string {
  const text = message
    .slice(0, 4_000)
    .replace(/^\[[A-Z][a-z]{2} \d{4}-\d{2}-\d{2} [^\]\n]*\] /, '')
    .replace(/[\r\u2028\u2029]+/g, '\n')
    .replace(/^\[media attached[^\n]*$/gm, ' ')
    .replace(/```[\s\S]*?(?:```|$)/g, ' ')
    .replace(/https?:\/\/\S+/g, ' ')
    .replace(/[\p{Extended_Pictographic}\p{Cf}]|(?!\n)\p{Cc}/gu, ' ')
    .replace(/[#*_`>~|<"“”«»]+/g, ' ')
    .trim();
  const line = text.split(/[\n。！？]|[.!?](?=\s|$)/).find((part) => /[\p{L}\p{N}]/u.test(part)) ?? '';
  return line.replace(/\s+/g, ' ').trim();
}

/** Cuts behind a word; a single word that is too long is cut hard. */
function firstWords(text: string): string {
  let count = 0;
  let end = 0;
  for (const { segment, index, isWordLike } of words().segment(text)) {
    if (!isWordLike) continue;
    const to = index + segment.length;
    count += 1;
    if (count > MAX_WORDS || to > MAX_LENGTH) break;
    end = to;
  }
  const cut = end > 0 ? text.slice(0, end) : [...text].slice(0, MAX_LENGTH / 2).join('');
  return cut.replace(/^[^\p{L}\p{N}]+/u, '').trim();
}
