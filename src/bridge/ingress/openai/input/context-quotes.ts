// What a message answers, passes on or brings along, out of the blocks of OpenClaw's context. The table of what is read
// and what is not is in docs/reference/openclaw-context.md.
import { z } from 'zod';
import { excerpt } from '../../../../domain/safe-text.ts';
import type { Quote } from '../../../../protocol/quote.ts';
import { jsonOf } from '../request/json-text.ts';
import type { ContextBlock } from './context-blocks.ts';

const text = z.string().optional().catch(undefined);
const number = z.number().optional().catch(undefined);
const flag = z.boolean().optional().catch(undefined);

const Place = z.object({
  reply_to_id: text,
  implicit_mention_kinds: z.array(z.string()).optional().catch([]),
});
const Target = z.object({
  sender: text,
  sender_label: text,
  timestamp: text,
  is_quote: flag,
  body: text,
  media_type: text,
  forwarded_from: text,
});
const Forwarded = z.object({ from: text, signature: text, date_ms: number });
const Located = z.object({
  latitude: number,
  longitude: number,
  accuracy_m: number,
  is_live: flag,
  name: text,
  address: text,
});

/** Of several messages that OpenClaw put together it tells each; what stands here belongs to one of them. */
export function quotesOf(blocks: readonly ContextBlock[]): Quote[] {
  const quotes = blocks.flatMap((block): Quote[] => {
    const found = quoteIn(block.label, block.value) ?? attached(block);
    return found ? [found] : [];
  });
  const answered = answeredOf(blocks);
  return answered ? [answered, ...quotes] : quotes;
}

/** What a block with this label quotes. Those of releases before 2026.9 hold the same. */
export const quoteIn = (label: string, value: unknown): Quote | undefined =>
  Object.hasOwn(readers, label) ? readers[label]?.(value) : undefined;

const readers: Readonly<Record<string, (value: unknown) => Quote | undefined>> = {
  'Reply chain of current user message (nearest first)': (value) =>
    Array.isArray(value) ? target(value[0]) : undefined,
  'Reply target of current user message': target,
  'Replied message': target,
  'Thread starter': (value) => {
    const { body } = Target.safeParse(value).data ?? {};
    return body === undefined ? undefined : { kind: 'thread', ...bounded(body) };
  },
  'Forwarded message context': (value) => {
    const { from, signature, date_ms } = Forwarded.safeParse(value).data ?? {};
    const by = [from, signature].filter((part) => part !== undefined).join(', ');
    return { kind: 'forwarded', ...(by !== '' && { by }), ...given({ at: minute(date_ms) }) };
  },
  Location: location,
};

function target(value: unknown): Quote | undefined {
  const { data } = Target.safeParse(value);
  if (!data) return undefined;
  const { body = data.media_type && `[${data.media_type}]` } = data;
  if (!body) return undefined;
  return {
    kind: 'answered',
    ...given({ by: data.sender ?? data.sender_label, at: data.timestamp, from: data.forwarded_from }),
    ...(data.is_quote && { part: true }),
    ...bounded(body),
  };
}

function location(value: unknown): Quote | undefined {
  const { data } = Located.safeParse(value);
  if (!data) return undefined;
  const { latitude, longitude, accuracy_m: metres, name, address } = data;
  const lines = [
    name,
    address,
    latitude !== undefined && longitude !== undefined && `latitude ${latitude}, longitude ${longitude}`,
    metres !== undefined && `accurate to ${metres} m`,
    data.is_live && 'live: it moves on',
  ].filter((line) => line);
  return lines.length === 0 ? undefined : { kind: 'attached', by: 'location', ...bounded(lines.join('\n')) };
}

/** Whatever else a channel gives as data: its own label, `{source, type, payload}`. */
function attached({ label, value }: ContextBlock): Quote | undefined {
  if (typeof value !== 'object' || value === null || !('payload' in value)) return undefined;
  return { kind: 'attached', by: label, ...bounded(JSON.stringify(value.payload, null, 1) ?? '') };
}

/**
 * On Telegram the quote stands by itself, `[Replying to: "…"]`, and who wrote it and when only in the window of messages,
 * where its line is marked. Elsewhere that line can be all there is.
 */
function answeredOf(blocks: readonly ContextBlock[]): Quote | undefined {
  const info = blocks.find(({ label }) => label === 'Conversation info')?.value;
  const { reply_to_id: id, implicit_mention_kinds: kinds = [] } = Place.safeParse(info).data ?? {};
  const lines = blocks.flatMap((block) => block.lines);
  const words = lines.map((line) => jsonOf(replying.exec(line)?.[1] ?? '')).find(isText);
  const window = lines.map((line) => windowLine.exec(line)?.groups).find((line) => line && line.id === id);
  const told = blocks.some(({ label }) => label.startsWith('Repl'));
  const body = words ?? (told ? undefined : window?.body);
  if (body === undefined) return undefined;
  const own = kinds.includes('reply_to_bot');
  return {
    kind: 'answered',
    ...(own ? { own } : given({ by: window?.by })),
    ...given({ at: window?.at }),
    ...bounded(body),
  };
}

const replying = /^\[Replying to: (".*")\]$/;
const windowLine =
  /^#(?<id>\S+) (?:(?<at>\d{4}-\d\d-\d\d [^[\]]{1,30}) )?\[reply target\] (?:->#\S+ )?(?<by>.{1,200}?): (?<body>.*)$/;

const isText = (value: unknown): value is string => typeof value === 'string';

const minute = (at = Number.NaN): string | undefined =>
  Math.abs(at) <= 8.64e15 ? `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC` : undefined;

function bounded(words: string): Pick<Quote, 'text' | 'hidden'> {
  const { text: shown, hidden } = excerpt(words);
  return { text: shown, ...(hidden > 0 && { hidden }) };
}

const given = <T extends Record<string, string | undefined>>(fields: T): Partial<Record<keyof T, string>> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value)) as Partial<Record<keyof T, string>>;
