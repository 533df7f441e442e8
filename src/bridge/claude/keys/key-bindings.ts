// What the keys of the prompt box do: Claude Code's own bindings, and the user's over them. Claude Code reads the user's
// file again whenever it changes.
import { readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { isOlder } from '../../../base/text/version-order.ts';
import { normalKeys } from './key-bytes.ts';

/** By keys, in their normal spelling: what they do in the prompt box. */
export type KeyBindings = ReadonlyMap<string, string>;

/** First release known to have `ctrl+x ctrl+s` and `ctrl+x enter`; 2.1.272 has neither (read in the programs). */
const chordsSince = '2.1.275';

/** Of Claude Code 2.1.332, as far as the bridge uses them. */
const builtIn = {
  'ctrl+x ctrl+s': 'chat:sendNow',
  'ctrl+x enter': 'chat:queueSubmit',
  enter: 'chat:submit',
  'ctrl+g': 'chat:externalEditor',
  'ctrl+x ctrl+e': 'chat:externalEditor',
  'ctrl+s': 'chat:stash',
  escape: 'chat:cancel',
};

const File = z.object({
  bindings: z.array(z.object({ context: z.string(), bindings: z.record(z.string(), z.string().nullable()) })),
});

/** Returns the path of the user's key bindings. */
export const keyBindingsPath = (env: Readonly<Record<string, string | undefined>>): string =>
  join(env.CLAUDE_CONFIG_DIR || join(env.HOME || homedir(), '.claude'), 'keybindings.json');

/**
 * Reads the bindings that hold now. A file that is missing or broken binds nothing, as for Claude Code. Never rejects.
 *
 * @param version of Claude Code; undefined: a recent one
 */
export async function readKeyBindings(
  env: Readonly<Record<string, string | undefined>>,
  version: string | undefined,
): Promise<KeyBindings> {
  const text = await readFile(keyBindingsPath(env), 'utf8').catch(() => '{}');
  return keyBindings(text, version);
}

/** Returns the bindings for the text of a file. */
export function keyBindings(text: string, version: string | undefined): KeyBindings {
  const hasChords = version === undefined || !isOlder(version, chordsSince);
  const bound = new Map(
    Object.entries(builtIn).filter(([, action]) => hasChords || !/:(?:sendNow|queueSubmit)$/.test(action)),
  );
  const blocks = File.safeParse(parsed(text)).data?.bindings ?? [];
  for (const { context, bindings } of blocks) {
    if (context !== 'Chat') continue;
    for (const [keys, action] of Object.entries(bindings)) {
      if (action === null) bound.delete(normalKeys(keys));
      else bound.set(normalKeys(keys), action);
    }
  }
  return bound;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
