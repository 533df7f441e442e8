// Text ↔ frame. Tolerant in what it reads (unknown fields dropped, unknown types told apart from bad ones),
// strict in what it writes.
import type { z } from 'zod';
import { late } from '../../base/late.ts';
import { BridgeFrame, ChannelFrame, MAX_FRAME_BYTES, MAX_FRAME_DEPTH, type WireFrame } from './wire.ts';

/** Why a text is no frame. `unknown_type` is to be counted and ignored, the others end the connection. */
type ParseFault = {
  ok: false;
  code: 'bad_json' | 'bad_frame' | 'unknown_type';
  /** For people. Names fields, never quotes values: they may be secrets or somebody's message. */
  message: string;
};
export type Parsed<F> = { ok: true; frame: F } | ParseFault;

/** A frame that must not be sent: it breaks the schema or {@link MAX_FRAME_BYTES}. */
export class FrameError extends Error {
  readonly code: 'bad_frame' | 'too_large';

  constructor(code: 'bad_frame' | 'too_large', message: string) {
    super(message);
    this.name = 'FrameError';
    this.code = code;
  }
}

type FrameSchema<F> = { safeParse(value: unknown): z.ZodSafeParseResult<F> };

const typesOf = (union: { options: readonly z.core.SomeType[] }): Set<string> =>
  new Set(union.options.flatMap((option) => [...(option._zod.propValues?.type ?? [])].map(String)));

const channelTypes = late(() => typesOf(ChannelFrame));
const bridgeTypes = late(() => typesOf(BridgeFrame));

/** Every frame type there is, both directions. */
export const frameTypes = late((): ReadonlySet<string> => new Set([...channelTypes(), ...bridgeTypes()]));

/** Reads what a channel server sent. */
export function parseChannelFrame(text: string): Parsed<ChannelFrame> {
  return parse(text, ChannelFrame, channelTypes());
}

/** Reads what the bridge sent. */
export function parseBridgeFrame(text: string): Parsed<BridgeFrame> {
  return parse(text, BridgeFrame, bridgeTypes());
}

/**
 * One frame as JSON text. Unknown fields are left out.
 * @throws FrameError `bad_frame` when a field is missing, wrong or nested too deep, `too_large` above 1 MiB of UTF-8.
 */
export function encode(frame: WireFrame): string {
  if (deeperThan(frame, MAX_FRAME_DEPTH)) throw new FrameError('bad_frame', tooDeep(frame.type));
  const schema: FrameSchema<WireFrame> = channelTypes().has(frame.type) ? ChannelFrame : BridgeFrame;
  const checked = schema.safeParse(frame);
  if (!checked.success) throw new FrameError('bad_frame', `${frame.type}: ${issuesOf(checked.error)}`);
  const text = JSON.stringify(checked.data);
  // Counting UTF-8 bytes walks the string; a UTF-16 unit is at most 3 of them, so short texts need no count.
  if (text.length * 3 > MAX_FRAME_BYTES) {
    const bytes = Buffer.byteLength(text);
    if (bytes > MAX_FRAME_BYTES) {
      throw new FrameError('too_large', `${frame.type}: ${bytes} bytes, the limit is ${MAX_FRAME_BYTES}`);
    }
  }
  return text;
}

function parse<F>(text: string, schema: FrameSchema<F>, types: Set<string>): Parsed<F> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { ok: false, code: 'bad_json', message: 'not a JSON text' };
  }
  const type = typeOf(value);
  if (type === undefined) return bad('expected an object with a string "type"');
  if (!frameTypes().has(type)) {
    return { ok: false, code: 'unknown_type', message: `unknown frame type ${label(type)}` };
  }
  if (!types.has(type)) return bad(`a ${type} frame does not travel in this direction`);
  if (deeperThan(value, MAX_FRAME_DEPTH)) return bad(tooDeep(type));
  const checked = schema.safeParse(value);
  return checked.success ? { ok: true, frame: checked.data } : bad(`${type}: ${issuesOf(checked.error)}`);
}

const bad = (message: string): ParseFault => ({ ok: false, code: 'bad_frame', message });

function typeOf(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null || !('type' in value)) return undefined;
  return typeof value.type === 'string' ? value.type : undefined;
}

const tooDeep = (type: string): string => `${type}: nested deeper than ${MAX_FRAME_DEPTH} levels`;

/** A foreign type name, safe and short enough for a log line. */
const label = (type: string): string => JSON.stringify(type.replace(/[^\x20-\x7e]/g, '?').slice(0, 40));

function issuesOf(error: z.ZodError): string {
  return error.issues
    .slice(0, 3)
    .map((issue) => (issue.path.length > 0 ? `${issue.path.join('.')}: ${issue.message}` : issue.message))
    .join('; ');
}

/** Without recursion: the input may be nested as deep as the size limit allows, or even be circular. */
function deeperThan(value: unknown, limit: number): boolean {
  let level: unknown[] = [value];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > limit) return true;
    const next: unknown[] = [];
    for (const item of level) {
      if (typeof item !== 'object' || item === null) continue;
      for (const child of Object.values(item))
        if (typeof child === 'object' && child !== null) next.push(child);
    }
    level = next;
  }
  return false;
}
