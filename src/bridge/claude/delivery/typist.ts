// Text → keystrokes that Claude Code's prompt takes exactly as written. Every number here was measured on 2.1.329:
// a bracketed paste of 3 newlines or more, or above 800 characters, is wrapped as foreign `<pasted_content>`; the same
// text as many small pastes is not, and arrives byte for byte.
import { labelled } from '../../../domain/message/writer.ts';

export interface TypePlan {
  /** Bracketed pastes, one behind another. They never contain the Enter that submits. */
  keys: string;
  /** What UserPromptSubmit must then say, compared with {@link sameText}. */
  expected: string;
  /** How many pastes. */
  pieces: number;
  /** Too much to type: it takes the editor's road. */
  long: boolean;
}

/** Longest piece in UTF-16 units; the limit of Claude Code is 800. */
const pieceLength = 600;
/** Most newlines in a piece; with one more it counts as a paste from elsewhere. */
const pieceNewlines = 2;

/** Most pieces that are typed: 20 to 60 KB arrived 18 of 18 times on a busy machine, 100 KB in 1,000 lines 1 of 3. */
const mostPieces = 100;

const newline = '\n'.charCodeAt(0);

const pasteStart = '\x1b[200~';
const pasteEnd = '\x1b[201~';

/** C0 without TAB and LF, DEL, and C1: dropped from pastes by Claude Code, or keys. */
const control = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;
/**
 * Characters without a picture of their own. Claude Code removes them and may then want a second Enter ("Removed 1
 * invisible character · review and press Enter to send"), so they go before.
 */
const invisible = /[\p{Default_Ignorable_Code_Point}\ufff9-\ufffb]/u;
/**
 * The exceptions, which it keeps too: joiners inside emoji and inside scripts that need them, and emoji style. Each looks
 * back only once it has met its character: the other way round every character of a text is looked back from.
 */
const needed =
  /\u200d(?<=[\p{Emoji_Presentation}\p{Extended_Pictographic}\u{1f3fb}-\u{1f3ff}]\ufe0f?\u200d)|[\u200c\u200d](?<=[[\p{L}\p{M}]--\p{Script=Latin}][\u200c\u200d])(?=\p{L})|[\ufe0e\ufe0f](?<=\p{Emoji}[\ufe0e\ufe0f])/v;
const everyInvisible = new RegExp(invisible.source, 'gv');
const unneeded = new RegExp(`(${needed.source})|${invisible.source}`, 'gv');

/** The text as Claude Code will have it after its own clean-up. */
export function normalise(text: string): string {
  return text
    .toWellFormed()
    .replace(/\r\n?|[\u0085\u2028\u2029]/g, '\n')
    .replace(control, '')
    .replace(unneeded, '$1')
    .replace(/\t/g, '    ')
    .trimEnd();
}

/**
 * An `@` that does not follow a letter or digit gets a backslash. At the start of a word, and behind `。、？！`, Claude Code
 * would attach the file of that name, from outside of the workspace too, without asking anybody (measured); behind a
 * backslash it is text. What stands in front of a message is typed like it, so it goes through here as well.
 * CLAUDE_CODE_DISABLE_ATTACHMENTS would do as well, but takes the user's skills and later changes of the tools away.
 */
const disarmMentions = (text: string): string =>
  text.replace(/@(?<![\p{L}\p{N}\p{M}._%+\-\\]@)(?=\S)/gu, '\\@');

/**
 * The label in front also keeps the first character of a foreign text from being a command (`/`), the shell (`!`) or
 * the word that quits (`exit`, `:q`).
 *
 * @param text without labels of its own
 * @param writer the label of whoever wrote it
 */
export function typePlan(text: string, writer: string): TypePlan {
  const expected = disarmMentions(labelled(writer, normalise(text))).trimEnd();
  // The blank ends the last word: a completion list (`@src`, `/hel`, `:smi`) would swallow Enter, and a backslash
  // would turn it into a newline. Claude Code trims it again.
  const pieces = split(`${expected} `);
  const keys = pasteStart + pieces.join(pasteEnd + pasteStart) + pasteEnd;
  return { keys, expected, pieces: pieces.length, long: pieces.length > mostPieces };
}

/**
 * A line of a paste that is the path of an image becomes that image, from anywhere on the disk (measured). So no piece
 * ever holds the end of such a line whole: `….p` and `ng` are two.
 */
const imageEnd = /\.(?:png|jpe?g|gif|webp|bmp|tiff?|svg|avif|hei[cf]|ico|pdf)(?=\W*(?:\n|$))/giu;

function split(text: string): string[] {
  const cuts = text.matchAll(imageEnd);
  const nextCut = () => (cuts.next().value?.index ?? Number.POSITIVE_INFINITY) + 2;
  const pieces: string[] = [];
  let cut = nextCut();
  let from = 0;
  let newlines = 0;
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    // Half of a character goes with its other half.
    const size = unit >= 0xd800 && unit <= 0xdbff ? 2 : 1;
    const isNewline = unit === newline;
    const full = at - from + size > pieceLength || (isNewline && newlines === pieceNewlines);
    if (full || at === cut) {
      pieces.push(text.slice(from, at));
      from = at;
      newlines = 0;
    }
    if (at === cut) cut = nextCut();
    if (isNewline) newlines += 1;
    at += size - 1;
  }
  return [...pieces, text.slice(from)];
}

/** True when Claude Code took exactly the planned text; blanks at line ends and Unicode forms do not count. */
export function sameText(expected: string, submitted: string): boolean {
  return expected === submitted || comparable(expected) === comparable(submitted);
}

/** True when the submitted text holds the planned one among other words: somebody typed at the same time. */
export function holdsText(expected: string, submitted: string): boolean {
  const start = comparable(expected).slice(0, 24);
  return start.length > 0 && comparable(submitted).includes(start);
}

const comparable = (text: string): string =>
  normalise(text)
    .replace(everyInvisible, '')
    // Claude Code escapes what looks like its own wrapper.
    .replace(/<\\(?=\/?pasted_content)/g, '<')
    .normalize('NFC')
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n')
    .trim();
