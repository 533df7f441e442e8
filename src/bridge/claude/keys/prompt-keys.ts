// Which keys the bridge presses in the prompt box. Pure.

import type { KeyBindings } from './key-bindings.ts';
import { keyBytes } from './key-bytes.ts';

/** As bytes for the terminal. */
export interface PromptKeys {
  /** Submits the text in the box. Undefined: no key that a terminal can send does. */
  submit: string | undefined;
  /** Opens the text in an editor. */
  editor: string | undefined;
  /** Puts a draft aside. */
  stash: string | undefined;
  /** Stops the turn that runs. */
  cancel: string | undefined;
}

/**
 * Returns the keys for these bindings. The key that submits is one that a dialog does not take for "yes" wherever there is
 * one: a dialog may open between the last look at the screen and the key. `ctrl+x ctrl+s` changed nothing in the offer of
 * the automatic mode, in a permission question, in a question of Claude's and at a plan (measured on 2.1.332 and 2.1.330).
 */
export function promptKeys(bindings: KeyBindings): PromptKeys {
  const keysOf = (...actions: string[]) => actions.flatMap((action) => bytesOf(bindings, action));
  const submits = keysOf('chat:sendNow', 'chat:submit', 'chat:queueSubmit');
  const chords = keysOf('chat:queueSubmit', 'chat:submit', 'chat:sendNow');
  return {
    submit: submits.find(isInert) ?? chords.find((bytes) => bytes.endsWith('\r')),
    editor: keysOf('chat:externalEditor').find(isInert),
    stash: keysOf('chat:stash').find(isInert),
    cancel: keysOf('chat:cancel').find((bytes) => bytes === '\x1b' || isInert(bytes)),
  };
}

function bytesOf(bindings: KeyBindings, action: string): string[] {
  const isPrefix = (keys: string) => bindings.keys().some((other) => other.startsWith(`${keys} `));
  return [...bindings]
    .filter(([keys, bound]) => bound === action && !isPrefix(keys))
    .flatMap(([keys]) => keyBytes(keys) ?? []);
}

/** No dialog takes these keys for an answer: each is a control key, or Alt and a letter, and none is Enter, Tab or Esc. */
const isInert = (bytes: string): boolean =>
  /^(?:[\x01-\x07\x0b\x0c\x0e-\x1a\x1c-\x1f]|\x1b[a-z])+$/.test(bytes);
