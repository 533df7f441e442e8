import type { BridgeStatus } from '../../domain/views/control.ts';
import type { Operator } from '../app/operator.ts';
import type { ControlHandlers } from './control-server.ts';

export interface HandlerOptions {
  operator: Operator;
  status(): BridgeStatus;
  /** Starts the orderly end of the bridge; the answer goes out first. */
  shutdown(reason: string): void;
}

export function controlHandlers({ operator, status, shutdown }: HandlerOptions): ControlHandlers {
  return {
    'bridge.status': () => status(),
    'bridge.stop': () => {
      setImmediate(() => shutdown('asked by `synthesis down`'));
      return { stopping: true };
    },
    'session.list': () => operator.list(),
    'session.inspect': ({ session }) => operator.inspect(session),
    'session.send': (params, call) =>
      operator.send(params, (text) => call.notify('answer', { text }), call.signal),
    'session.interrupt': ({ session }) => operator.interrupt(session),
    'session.stop': ({ session }) => operator.stop(session),
    'session.remove': ({ session }) => operator.remove(session),
    'permission.list': () => operator.asks(),
    'permission.decide': (params) => operator.decide(params),
  };
}
