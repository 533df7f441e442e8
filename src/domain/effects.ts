import type { SessionEvent } from '../protocol/events/events.ts';
import type { Door } from '../protocol/events/permission-events.ts';
import { failed } from './tools/tool-envelope.ts';

/** What has to happen in the world once an event is on disk. */
export type Effect =
  | { type: 'deliver'; turn: string; attempt: number }
  | { type: 'interrupt' }
  | { type: 'start' }
  | { type: 'stop'; reason: string }
  | {
      type: 'answer_permission';
      code: string;
      verdict: 'allow' | 'deny';
      by: Door;
      reason?: string;
      scope: 'once' | 'session';
    }
  /** `envelope`: the content is the JSON of one. */
  | { type: 'answer_tool'; call: string; ok: boolean; content: string; envelope?: true }
  /** Of a provider. */
  | { type: 'run_tool'; call: string }
  | { type: 'cancel_tool'; call: string }
  | { type: 'set_tools' };

/** Of most events there are none. */
const none: readonly Effect[] = [];

export function effectsOf(event: SessionEvent): readonly Effect[] {
  switch (event.type) {
    case 'turn.delivering':
      return [{ type: 'deliver', turn: event.turn, attempt: event.attempt }];
    case 'turn.cancelling':
    case 'turn.requeued':
      return [{ type: 'interrupt' }];
    case 'agent.wanted':
      return [{ type: 'start' }];
    case 'turn.settled':
      // Given up by the core, not by Claude Code: it must not go on working behind the next message.
      return event.outcome === 'expired' ? [{ type: 'interrupt' }] : [];
    case 'agent.stopping':
      return [{ type: 'stop', reason: event.reason }];
    case 'permission.decided': {
      const { code, verdict, by, reason, scope } = event;
      const said = reason === undefined ? {} : { reason };
      return [{ type: 'answer_permission', code, verdict, by, scope, ...said }];
    }
    case 'tool.called':
      return event.provider === undefined ? [] : [{ type: 'run_tool', call: event.call }];
    case 'tool.answered': {
      const { call, ok, content, envelope } = event;
      return [{ type: 'answer_tool', call, ok, content, ...(envelope && { envelope }) }];
    }
    case 'tool.dropped': {
      const { call, reason, denied } = event;
      const content = JSON.stringify(failed(denied ? 'DENIED' : 'CANCELLED', reason));
      return [
        { type: 'answer_tool', call, ok: false, content, envelope: true },
        { type: 'cancel_tool', call },
      ];
    }
    case 'catalog.changed':
      return [{ type: 'set_tools' }];
    default:
      return none;
  }
}
