// What each method of the control socket takes (decision 0055). A method without a row does not compile.
import type { Right } from '../../domain/caller/caller.ts';
import type { HandledMethod } from './control-call.ts';

const rights: Record<HandledMethod, Right> = {
  'bridge.status': 'look',
  'bridge.metrics': 'look',
  // Whoever may signal the bridge ends it anyway.
  'bridge.stop': 'say',
  'bridge.panic': 'stop',
  'bridge.resume': 'decide',
  'caller.prove': 'look',
  'session.list': 'look',
  'session.costs': 'look',
  'session.inspect': 'look',
  'session.snapshot': 'look',
  'session.send': 'say',
  'session.interrupt': 'say',
  'session.stop': 'say',
  'session.restart': 'say',
  'session.remove': 'decide',
  'session.rename': 'say',
  'session.wait': 'look',
  'permission.list': 'look',
  'permission.show': 'look',
  'permission.decide': 'decide',
  'events.subscribe': 'look',
  'terminal.attach': 'look',
  'terminal.input': 'decide',
  'terminal.resize': 'look',
  'terminal.drive': 'decide',
  'audit.verify': 'look',
  'audit.anchor': 'look',
  'prune.look': 'look',
  'prune.delete': 'decide',
  'journal.stats': 'look',
  'tools.list': 'look',
  'tools.inspect': 'look',
  'tools.call': 'decide',
  'tools.set': 'decide',
  'cluster.status': 'look',
  'cluster.servers': 'look',
  'cluster.move': 'decide',
  'cluster.drain': 'decide',
  'cluster.forget': 'decide',
  // What is called there is judged by what is known of the caller here.
  'cluster.dial': 'look',
};

/** Returns what a call takes. */
export function rightFor(method: HandledMethod, params: unknown): Right {
  const { verdict, drive } = (params ?? {}) as { verdict?: string; drive?: boolean };
  // A no lets nothing run.
  if (method === 'permission.decide' && verdict === 'deny') return 'stop';
  if (method === 'terminal.attach' && drive) return 'decide';
  // So does giving the terminal back.
  if (method === 'terminal.drive' && drive === false) return 'stop';
  return rights[method];
}

/**
 * Returns whether a call takes a proof of the operator secret: each that decides. Whoever types into Claude's terminal
 * proved it when they took that, and holds it on this connection alone.
 */
export const takesProof = (method: HandledMethod, params: unknown): boolean =>
  method !== 'terminal.input' && rightFor(method, params) === 'decide';
