import type { Duplex } from 'node:stream';
import type { Caller } from '../../domain/caller/caller.ts';
import type {
  CallId,
  ControlMethod,
  ControlMethods,
  ControlNotification,
  ControlNotifications,
} from '../../domain/views/control.ts';
import type { Guard } from './guard.ts';

/** A terminal that a client has joined, as its later calls reach it. */
export interface Attachment {
  input(data: string): void;
  /** @returns false when it is only remembered, because this client does not drive. */
  resize(cols: number, rows: number): boolean;
  /** @returns whether it drives now. */
  drive(drive: boolean): boolean;
}

/** One request that is being answered, and the connection it came on. */
export interface ControlCall {
  readonly id: CallId;
  readonly caller: Caller;
  /** What the operator secret was proven with for it; undefined where it takes none. */
  readonly provenBy: string | undefined;
  /** Stands before every call of its connection. */
  readonly guard: Guard;
  /** Aborts when the client hangs up, cancels, or the bridge stops. */
  readonly signal: AbortSignal;
  /** Sends a notification of this call. Nothing is sent after the end of it. */
  notify<N extends ControlNotification>(method: N, params: Omit<ControlNotifications[N], 'call'>): void;
  /** True when the client has left much unread: whoever streams waits for `drained`. */
  readonly clogged: boolean;
  /** Resolves when the client has read most of what was sent, or the call has ended. */
  drained(): Promise<void>;
  /** From its answer on, the connection is one with `far`; other calls on it end. */
  handOver(far: Duplex): void;
  /** Terminals joined on this connection, by the id of their call. */
  readonly attachments: Map<CallId, Attachment>;
}

/** `call.cancel` is the connection's own. */
export type HandledMethod = Exclude<ControlMethod, 'call.cancel'>;

export type ControlHandlers = {
  [M in HandledMethod]: (
    params: ControlMethods[M]['params'],
    call: ControlCall,
  ) => ControlMethods[M]['result'] | Promise<ControlMethods[M]['result']>;
};
