import { letter, lettered, type Part } from '../../../../domain/message/writer.ts';
import type { Turn } from '../../../../domain/state/turn.ts';
import { holds } from '../identity/repeats.ts';
import { afterQueued } from './inbound-text.ts';
import type { NewestInput, NewText } from './newest-input.ts';

/** The texts that no earlier request brought; the newest always counts. */
export function freshTexts(input: NewestInput, turns: readonly Turn[]): NewText[] {
  const taken = turns.map((turn) => turn.text);
  const newest = input.texts.at(-1);
  return input.texts
    .filter((text) => text === newest || !turns.some((turn) => holds(turn, text.text)))
    .map((text) =>
      text.wrapper === 'queued' ? { ...text, text: afterQueued(text.text, taken) ?? text.text } : text,
    );
}

/** Several messages that got no answer yet travel as one; who wrote which, and what came with which, stays visible. */
export function joinedTexts(parts: readonly Part[]): Joined {
  const [first, ...others] = parts;
  if (others.length === 0) return { text: '', meta: {}, ...(first && ownOf(first)) };
  if (parts.some(({ writer, quotes }) => writer !== first?.writer || quotes))
    return { text: letter(parts), quotes: parts.flatMap(({ quotes = [] }) => quotes), meta: lettered };
  return { text: parts.map(({ text }) => text).join('\n\n'), meta: {} };
}

type Joined = Pick<Part, 'text' | 'quotes'> & { meta: Record<string, string> };

const ownOf = ({ text, quotes }: Part): Pick<Part, 'text' | 'quotes'> => ({
  text,
  ...(quotes && { quotes }),
});
