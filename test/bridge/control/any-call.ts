// Every method of the control socket, with enough of parameters to be taken for a call of it.
import { controlParams } from '../../../src/bridge/control/control-schema.ts';
import type { ControlMethod } from '../../../src/domain/views/control.ts';

const params: Partial<Record<ControlMethod, object>> = {
  'permission.decide': { code: 'abcde', verdict: 'allow', shown: '0'.repeat(16) },
  'permission.show': { code: 'abcde' },
  'session.send': { session: 's', text: 'hello', create: true },
  'session.rename': { session: 's', label: 'x' },
  'terminal.attach': { session: 's', cols: 80, rows: 24, drive: true },
  'terminal.input': { call: 1, data: 'y' },
  'terminal.resize': { call: 1, cols: 80, rows: 24 },
  'terminal.drive': { call: 1, drive: true },
  'events.subscribe': { follow: false },
  'audit.verify': { anchors: [] },
  'prune.delete': { items: [] },
  'tools.inspect': { provider: 'p' },
  'tools.call': { provider: 'p', tool: 't', args: {} },
  'tools.set': { providers: [] },
  'caller.prove': { token: 'guess' },
  'cluster.move': { session: 's', node: 'n' },
  'cluster.forget': { node: 'n' },
  'cluster.dial': { node: 'n' },
};

export const methods = (Object.keys(controlParams()) as ControlMethod[]).filter(
  (each) => each !== 'call.cancel',
);

export const given = (method: ControlMethod) =>
  params[method] ?? (method.startsWith('session.') ? { session: 's' } : {});

/** What only a person may call, or a program that they trust. */
export const deciding: readonly ControlMethod[] = [
  'bridge.resume',
  'cluster.drain',
  'cluster.forget',
  'cluster.move',
  'permission.decide',
  'prune.delete',
  'session.remove',
  'terminal.attach',
  'terminal.drive',
  'terminal.input',
  'tools.call',
  'tools.set',
];
