// The rules of typed text, measured on Claude Code 2.1.329. Pure: a box and a key give a box and what follows.
import { hashId } from '../../../base/digest.ts';
import type { Key } from './keys.ts';

/** The prompt line. Long pastes stand in it as a placeholder. */
export interface Box {
  text: string;
  pastes: Record<string, string>;
  /** Invisible characters came in through a paste: the first Enter only removes them. */
  suspicious: boolean;
  stash: string | undefined;
  notice: string | undefined;
}

export type BoxOutcome =
  | { kind: 'none' }
  | { kind: 'submit'; text: string }
  | { kind: 'empty-escape' }
  | { kind: 'interrupt' }
  | { kind: 'cycle-mode' };

export const emptyBox: Box = { text: '', pastes: {}, suspicious: false, stash: undefined, notice: undefined };

/** A paste above either bound is wrapped as foreign text. */
const pasteChars = 800;
const pasteNewlines = 2;

// Not U+200D between pictographs: that is how emoji families are written.
const invisible =
  /[\u00ad\u200b\u200c\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]|(?<!\p{Extended_Pictographic}\ufe0f?)\u200d|\u200d(?!\p{Extended_Pictographic})/gu;

/** Applies one key. `offersCompletion` says whether `@path` at the end has a completion list open, which takes the Enter. */
export function press(
  box: Box,
  key: Key,
  offersCompletion: (path: string) => boolean = () => false,
): { box: Box; outcome: BoxOutcome } {
  const stay = (next: Box, outcome: BoxOutcome = { kind: 'none' }) => ({ box: next, outcome });
  const quiet = { ...box, notice: undefined };
  if (key.kind === 'text') return stay(key.bulk ? pasteInto(quiet, key.text) : typeInto(quiet, key.text));
  if (key.kind === 'paste') return stay(pasteInto(quiet, key.text));
  switch (key.name) {
    case 'ctrl-x ctrl-s':
    case 'ctrl-x enter':
      return submit(quiet);
    case 'enter':
      return enter(box, offersCompletion);
    case 'backspace':
      return stay({ ...quiet, text: [...box.text].slice(0, -1).join('') });
    case 'ctrl-u':
      return stay({ ...quiet, text: box.text.replace(/[^\n]*$/, '') });
    case 'ctrl-s':
      return box.text === '' ? stay(quiet) : stay({ ...emptyBox, stash: box.text, notice: 'draft stashed' });
    case 'ctrl-c':
      return box.text === '' ? stay(box, { kind: 'interrupt' }) : stay({ ...emptyBox, stash: box.stash });
    case 'escape':
      if (box.text === '') return stay(box, { kind: 'empty-escape' });
      return box.notice === escNotice
        ? stay({ ...emptyBox, stash: box.stash })
        : stay({ ...box, notice: escNotice });
    case 'shift-tab':
      return stay(quiet, { kind: 'cycle-mode' });
    default:
      return stay(quiet);
  }
}

const escNotice = 'Esc again to clear';

function enter(box: Box, offersCompletion: (path: string) => boolean): { box: Box; outcome: BoxOutcome } {
  const none: BoxOutcome = { kind: 'none' };
  const at = /(?:^|\s)@(\S+)$/.exec(box.text)?.[1];
  if (at !== undefined && offersCompletion(at))
    return { box: { ...box, text: `${box.text} ` }, outcome: none };
  if (box.text.endsWith('\\')) return { box: { ...box, text: `${box.text.slice(0, -1)}\n` }, outcome: none };
  const removed = box.text.match(invisible)?.length ?? 0;
  const text = box.text.replace(invisible, '');
  const characters = `${removed} invisible character${removed === 1 ? '' : 's'}`;
  if (removed > 0 && box.suspicious) {
    const notice = `Removed ${characters} · review and press Enter to send`;
    return { box: { ...box, text, suspicious: false, notice }, outcome: none };
  }
  return submit({ ...box, text }, removed > 0 ? `Removed ${characters} from your prompt` : undefined);
}

function submit(box: Box, notice?: string): { box: Box; outcome: BoxOutcome } {
  const text = box.text.replace(invisible, '');
  if (text.trim() === '') return { box: { ...box, text: '' }, outcome: { kind: 'none' } };
  return {
    box: { ...emptyBox, text: box.stash ?? '', notice },
    outcome: { kind: 'submit', text: expand(text.trimEnd(), box.pastes) },
  };
}

function typeInto(box: Box, text: string): Box {
  return { ...box, text: box.text + clean(text) };
}

function pasteInto(box: Box, raw: string): Box {
  const text = clean(raw);
  const newlines = text.split('\n').length - 1;
  const suspicious = box.suspicious || text.search(invisible) >= 0;
  if (newlines <= pasteNewlines && text.length <= pasteChars)
    return { ...box, text: box.text + text, suspicious };
  const mark = `[Pasted text #${Object.keys(box.pastes).length + 1} +${newlines} lines]`;
  return { ...box, text: box.text + mark, pastes: { ...box.pastes, [mark]: text }, suspicious };
}

/** TAB becomes four spaces, line ends become `\n`, every other control character is dropped. */
function clean(text: string): string {
  return text
    .replace(/\r\n?/g, '\n')
    .replaceAll('\t', '    ')
    .replace(/\x1b\[20[01]~|[\x00-\x09\x0b-\x1f\x7f]/g, '');
}

function expand(text: string, pastes: Record<string, string>): string {
  return Object.entries(pastes).reduce((whole, [mark, paste]) => {
    const id = hashId(paste, 4);
    const inner = paste.replace(invisible, '').trimEnd();
    return whole.replace(
      mark,
      () => `\n\n<pasted_content id="${id}">\n${inner}\n</pasted_content id="${id}">\n`,
    );
  }, text);
}
