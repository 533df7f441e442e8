// What the operator's control socket offers: method → params and result. Types only, so that commands start in a blink.
import type { AskRow } from './ask-row.ts';
import type { SessionRow } from './session-row.ts';

export interface BridgeStatus {
  version: string;
  pid: number;
  url: string;
  state_dir: string;
  started_at: string;
  sessions: number;
  live: number;
  status: 'healthy' | 'degraded' | 'unavailable';
  health: { code: string; words: string }[];
}

/** How a turn that was sent by an operator ended. */
export interface SendResult {
  turn: string;
  outcome: 'completed' | 'failed' | 'cancelled' | 'expired' | 'accepted';
  code: string | null;
  /** What a chat user would be told. */
  words: string | null;
}

export interface ControlMethods {
  'bridge.status': { params: Record<string, never>; result: BridgeStatus };
  'bridge.stop': { params: Record<string, never>; result: { stopping: true } };
  'session.list': { params: Record<string, never>; result: SessionRow[] };
  'session.inspect': {
    params: { session: string };
    result: SessionRow & { screen: string[] | null; status: unknown };
  };
  /** While it runs, `answer` notifications carry the text; with `follow: false` it returns once the message is stored. */
  'session.send': {
    params: { session: string; text: string; create: boolean; follow: boolean };
    result: SendResult;
  };
  'session.interrupt': { params: { session: string }; result: { interrupted: true } };
  'session.stop': { params: { session: string }; result: { stopping: true } };
  'session.remove': { params: { session: string }; result: { removed: true } };
  'permission.list': { params: Record<string, never>; result: AskRow[] };
  'permission.decide': {
    params: { code: string; verdict: 'allow' | 'deny'; reason?: string; scope?: 'once' | 'session' };
    result: { code: string; verdict: 'allow' | 'deny'; session: string; tool: string };
  };
}

export type ControlMethod = keyof ControlMethods;

/** Errors a control method answers with; the JSON-RPC `code` is the number, `data.code` the name. */
export const controlErrors = {
  bad_request: -32602,
  unknown_method: -32601,
  internal: -32603,
  no_such_session: -32001,
  ambiguous: -32002,
  no_such_code: -32003,
  already_answered: -32004,
  not_running: -32005,
  shutting_down: -32006,
} as const;
export type ControlErrorCode = keyof typeof controlErrors;
