import type { BridgeStatus } from '../../domain/views/control.ts';
import type { PanicDesk } from '../app/desks/panic-desk.ts';
import type { Operator } from '../app/operator/operator.ts';
import { OperatorError } from '../app/operator/operator-error.ts';
import type { ControlCall, ControlHandlers } from './control-call.ts';
import type {
  AuditDesk,
  ClusterDesk,
  JournalView,
  MetricsDesk,
  OpenView,
  PruneDesk,
  ToolsDesk,
} from './control-ports.ts';
import { streamEvents } from './event-stream.ts';
import { attachmentOf, TerminalDoor } from './terminal-door.ts';

export interface HandlerOptions {
  operator: Operator;
  journal: JournalView;
  audit: AuditDesk;
  openView: OpenView;
  panic: PanicDesk;
  pruner(): PruneDesk;
  tools: ToolsDesk;
  status(): BridgeStatus;
  metrics: MetricsDesk;
  /** The other machines, where there are any. */
  cluster: ClusterDesk | undefined;
  /** Starts the orderly end of the bridge; the answer goes out first. @param claude what becomes of its Claude Codes */
  shutdown(reason: string, claude: 'keep' | 'end'): void;
}

export function controlHandlers(options: HandlerOptions): ControlHandlers {
  const { cluster, operator, panic, journal, audit, pruner, tools, openView, status, metrics, shutdown } =
    options;
  const door = new TerminalDoor({ operator, openView });
  return {
    'bridge.status': () => status(),
    'bridge.metrics': async () => ({ text: await metrics.text() }),
    'bridge.stop': ({ keep, why }) => {
      const reason = why === 'replace' ? 'another one takes over' : 'asked by `synthesis down`';
      setImmediate(() => shutdown(reason, keep ? 'keep' : 'end'));
      const agents = keep ? 0 : operator.list().reduce((sum, row) => sum + row.agents.length, 0);
      return { stopping: true, live: status().live, agents };
    },
    'bridge.panic': (params) => {
      const done = panic.panic(params);
      door.letGo();
      return done;
    },
    'bridge.resume': (params) => panic.resume(params),
    'caller.prove': ({ token }, call) => {
      call.guard.prove(token);
      return { proven: true };
    },
    'session.list': () => operator.list(),
    'session.costs': ({ sessions = [] }) => operator.costs(sessions),
    'session.snapshot': () => operator.snapshot(),
    'session.inspect': ({ session }) => operator.inspect(session),
    'session.send': (params, call) =>
      operator.send(
        params,
        {
          text: (text) => {
            call.notify('answer', { text });
            return call.drained();
          },
          waits: (wait) => call.notify('status', wait),
          question: (code, text) => call.notify('question', { code, text }),
          decided: (code, words) => call.notify('decided', { code, words }),
        },
        call.signal,
      ),
    'session.interrupt': ({ session }) => operator.interrupt(session),
    'session.stop': ({ session }) => operator.stop(session),
    'session.restart': ({ session }, call) => operator.restart(session, call.signal),
    'session.remove': (params) => operator.remove(params),
    'session.rename': (params) => operator.rename(params),
    'session.wait': (params, call) => operator.wait(params, call.signal),
    'permission.list': () => operator.asks(),
    'permission.show': ({ code }) => operator.ask(code),
    'permission.decide': (params, call) => operator.decide(params, whoOf(call)),
    'events.subscribe': ({ session, ...params }, call) => {
      const key = session === undefined ? {} : { key: operator.resolve(session).key };
      return streamEvents({ ...params, ...key }, journal, call);
    },
    'audit.verify': ({ anchors }) => audit.verify(anchors),
    'audit.anchor': async () => ({ line: await audit.anchor() }),
    'journal.stats': () => audit.stats(),
    'prune.look': () => pruner().look(),
    'prune.delete': ({ items }) => pruner().prune(items),
    'tools.list': () => tools.list(),
    'tools.inspect': ({ provider }) => tools.inspect(provider),
    'tools.call': ({ provider, tool, args }, call) => tools.call(provider, tool, args, call.signal),
    'tools.set': ({ providers, vaults }) => tools.set(providers, vaults),
    'cluster.status': () => cluster?.view() ?? null,
    'cluster.servers': async () => (await cluster?.servers()) ?? null,
    'cluster.move': async ({ session, node, timeout_ms = patienceMs }, call) => {
      const { key } = operator.resolve(session);
      await clusterOr(cluster).move(key, node, timeout_ms, call.signal);
      return { session: key, node };
    },
    'cluster.drain': ({ timeout_ms = patienceMs }, call) => clusterOr(cluster).drain(timeout_ms, call.signal),
    'cluster.forget': async ({ node }) => ({ node, conversations: await clusterOr(cluster).forget(node) }),
    'cluster.dial': async ({ node }, call) => {
      call.handOver(await clusterOr(cluster).dial(node, call.guard.highest()));
      return {};
    },
    'terminal.attach': (params, call) => door.attach(params, call),
    'terminal.input': (params, call) => {
      attachmentOf(call, params.call).input(params.data);
      return {};
    },
    'terminal.resize': (params, call) => ({
      applied: attachmentOf(call, params.call).resize(params.cols, params.rows),
    }),
    'terminal.drive': (params, call) => ({ driving: attachmentOf(call, params.call).drive(params.drive) }),
  };
}

/** Where a decision came from, as it is told and kept. */
const whoOf = ({ caller: { from }, provenBy }: ControlCall): string =>
  provenBy === undefined ? from : `${from}; proven by ${provenBy}`;

/** For what runs in a conversation that is to go to another machine, ms. */
const patienceMs = 5 * 60_000;

function clusterOr(cluster: ClusterDesk | undefined): ClusterDesk {
  if (cluster) return cluster;
  throw new OperatorError(
    'no_such_node',
    'There are no other machines: this bridge is alone.',
    'Set `cluster` in its configuration: `synthesis docs many-machines`.',
  );
}
