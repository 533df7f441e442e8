import { CliError } from '../cli-error.ts';

/** As in docker: a list of keys, pressed one after another. */
export const defaultDetachKeys = 'ctrl-p,ctrl-q';

/**
 * The bytes of `ctrl-p,ctrl-q` or `ctrl-],x`: single characters, and ctrl with a letter or one of `@ [ \ ] ^ _`.
 * @throws CliError `bad_keys`
 */
export function keyBytes(text: string): string {
  const keys = text.split(',').map((key) => {
    const control = /^ctrl-([a-z@[\\\]^_])$/i.exec(key.trim())?.[1];
    if (control) return String.fromCharCode(control.toUpperCase().charCodeAt(0) & 0x1f);
    return /^[\x21-\x7e]$/.test(key.trim()) ? key.trim() : undefined;
  });
  if (keys.every((key) => key !== undefined) && !keys.includes('\u001b')) return keys.join('');
  throw new CliError(
    'usage',
    'bad_keys',
    `"${text}" does not name keys.`,
    'Write for example ctrl-p,ctrl-q or ctrl-],d.',
  );
}

/** `ctrl-p ctrl-q`, for people. */
export const keyNames = (text: string): string =>
  text
    .split(',')
    .map((key) => key.trim().toLowerCase())
    .join(' ');

/** Finds the detach keys in what is typed. Keys that may be the beginning of them are held back until that is known. */
export class DetachKeys {
  readonly #bytes: string;
  #matched = 0;

  constructor(bytes: string) {
    this.#bytes = bytes;
  }

  /** @returns what is to be passed on, and whether the keys were all pressed. */
  take(typed: string): { pass: string; detach: boolean } {
    let pass = '';
    for (const key of typed) {
      if (key === this.#bytes[this.#matched]) {
        this.#matched += 1;
        if (this.#matched === this.#bytes.length) return { pass, detach: true };
        continue;
      }
      pass += this.#bytes.slice(0, this.#matched);
      this.#matched = 0;
      if (key === this.#bytes[0]) this.#matched = 1;
      else pass += key;
    }
    return { pass, detach: false };
  }
}
