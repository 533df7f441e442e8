import type { Turn } from '../../../domain/session.ts';
import { afterQueued } from './inbound-text.ts';
import type { NewestInput, NewText } from './newest-input.ts';
import { holds } from './repeats.ts';

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

/** Several messages that got no answer yet travel as one; who wrote which stays visible. */
export function joinedTexts(texts: readonly NewText[]): string {
  const senders = new Set(texts.map((text) => text.sender?.id));
  if (senders.size <= 1) return texts.map((text) => text.text).join('\n\n');
  return texts.map(({ text, sender }) => `${sender?.name ?? sender?.id ?? 'someone'}: ${text}`).join('\n\n');
}
