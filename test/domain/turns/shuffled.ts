import { seeded } from '../../support/seeded.ts';
import { type HookLine, type Line, ownerOf } from './line.ts';

/** Hooks that were sent this long after each other may overtake: each travels on a connection of its own. */
export const overtakeMs = 40;
/** Claude Code waits for the answer to these, or nothing of an agent comes before them. */
const ordered: ReadonlySet<string> = new Set(['UserPromptSubmit', 'SubagentStart']);

/** Returns another order in which the same hooks may come in; the same one for the same seed. */
export function shuffled(lines: readonly Line[], seed: number): Line[] {
  const next = seeded(seed);
  const out = [...lines];
  for (let i = 0; i + 1 < out.length; i += 1) {
    const [first, second] = [out[i], out[i + 1]];
    if (!first || !second || !mayOvertake(first, second) || next() < 0.5) continue;
    out[i] = { ...second, t: first.t };
    out[i + 1] = { ...first, t: second.t };
    i += 1;
  }
  return out;
}

/** A batch of text may come late, but never before a hook of the main thread that was sent earlier. */
function mayOvertake(first: Line, second: Line): first is HookLine {
  if (first.k !== 'hook' || second.k !== 'hook' || second.t - first.t > overtakeMs) return false;
  if (ordered.has(first.hook.hook_event_name) || ordered.has(second.hook.hook_event_name)) return false;
  return isText(first) || ownerOf(first.hook) !== ownerOf(second.hook);
}

export const isText = ({ hook }: HookLine): boolean => hook.hook_event_name === 'MessageDisplay';
