// What the client of OpenClaw's gateway needs of the bridge, as narrow as can be.
import type { CallerCommand } from '../../../domain/commands.ts';
import type { Session } from '../../../domain/state/session.ts';

export interface Conversations {
  session(key: string): Session | undefined;
  sessions(): Session[];
  /** @returns whether it was done */
  dispatch(key: string, command: CallerCommand): { ok: boolean };
  /** Resolves when all that is known is on disk. Rejects when the disk failed. */
  stored(): Promise<void>;
  /** Whether a response that is open now hands out this turn. */
  isRead(turn: string): boolean;
  /**
   * Keeps responses from handing out this turn until the returned function is called, or for `ms` milliseconds.
   * @returns undefined when one hands it out now
   */
  hold(turn: string, ms: number): (() => void) | undefined;
  /** Makes open responses of a conversation look again whether they still have to wait. */
  nudge(key: string): void;
  /** Sender ids that may answer permission questions; empty = the asker, in direct chats only. */
  approversFor(key: string): readonly string[];
}

/** One method of the gateway. @throws GatewayCallError */
export type CallGateway = (method: string, params: object, ms: number) => Promise<unknown>;
