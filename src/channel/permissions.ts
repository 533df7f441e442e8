// The permission relay: Claude Code's question out, the verdict back in, one verdict per question.
import { z } from 'zod';
import type { Log } from '../base/log.ts';
import { FrameError } from '../protocol/wire/codec.ts';
import type { Behavior, PermissionReply, PermissionRequest } from '../protocol/wire/wire.ts';
import { PermissionCode } from '../protocol/wire/wire.ts';
import { SeenRing } from './seen-ring.ts';

/** What Claude Code sends. Everything but the id may be missing: a question without words is still a question. */
export const PermissionAsk = z.object({
  method: z.literal('notifications/claude/channel/permission_request'),
  params: z.object({
    request_id: z.string(),
    tool_name: z.string().default('unknown'),
    description: z.string().default(''),
    input_preview: z.string().default(''),
  }),
});
export type PermissionAsk = z.infer<typeof PermissionAsk>;

/** @returns undefined when the id is not a permission code, which the wire cannot carry. */
export function toRequestFrame({ params }: PermissionAsk): PermissionRequest | undefined {
  const code = PermissionCode.safeParse(params.request_id);
  if (!code.success) return undefined;
  return {
    type: 'permission_request',
    request_id: code.data,
    tool: params.tool_name.slice(0, 256) || 'unknown',
    args: wholeInput(params.input_preview) ?? params.input_preview,
    rationale: params.description,
  };
}

/** Claude Code cuts long previews in the middle of the JSON: what still parses to an object was not cut. */
function wholeInput(preview: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(preview);
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    return isObject ? Object.fromEntries(Object.entries(value)) : undefined;
  } catch {
    return undefined;
  }
}

/** Claude Code never says that a question was answered in its terminal, so old ones are forgotten by count. */
const openLimit = 32;
const answeredLimit = 1000;

export interface PermissionRelayOptions {
  /** @returns false while the bridge is away; the question is sent again once it is back.
   *  @throws FrameError when the frame cannot travel at all. */
  send(frame: PermissionRequest): boolean;
  /** Passes the verdict to Claude Code. */
  reply(verdict: { request_id: string; behavior: Behavior }): Promise<void>;
  log: Log;
}

export class PermissionRelay {
  readonly #options: PermissionRelayOptions;
  readonly #open = new Map<string, PermissionRequest>();
  readonly #answered = new SeenRing(answeredLimit);

  constructor(options: PermissionRelayOptions) {
    this.#options = options;
  }

  /** Claude Code asks. */
  ask(notification: PermissionAsk): void {
    const frame = toRequestFrame(notification);
    if (!frame) {
      const { request_id } = notification.params;
      return this.#options.log.error('a permission request has no 5-letter code; it stays in the terminal', {
        request_id: request_id.slice(0, 40),
      });
    }
    this.#answered.delete(frame.request_id);
    this.#open.delete(frame.request_id);
    this.#open.set(frame.request_id, frame);
    for (const oldest of this.#open.keys()) {
      if (this.#open.size <= openLimit) break;
      this.#open.delete(oldest);
    }
    this.#post(frame);
  }

  /** The bridge is back: it may have died before it stored a question, and ignores those it knows. */
  online(): void {
    for (const frame of [...this.#open.values()]) this.#post(frame);
  }

  #post(frame: PermissionRequest): void {
    try {
      this.#options.send(frame);
    } catch (error) {
      if (!(error instanceof FrameError)) throw error;
      this.#open.delete(frame.request_id);
      const { request_id } = frame;
      this.#options.log.error('a permission request cannot travel; it stays in the terminal', {
        request_id,
        error,
      });
    }
  }

  /** The bridge has the verdict. Never rejects. */
  async answer(frame: PermissionReply): Promise<void> {
    const { request_id, behavior } = frame;
    if (this.#answered.has(request_id)) {
      return this.#options.log.debug('a verdict came again and was not passed on', { request_id });
    }
    this.#answered.add(request_id);
    this.#open.delete(request_id);
    try {
      await this.#options.reply({ request_id, behavior });
    } catch (error) {
      this.#answered.delete(request_id);
      this.#options.log.error('a verdict could not be written to Claude Code', { request_id, error });
    }
  }
}
