// The running bridge as `doctor` and `openclaw status` show it.
import { UnsafePathError } from '../../base/files/own-path.ts';
import { type Check, failed, ok, warning } from '../../domain/views/check.ts';
import type { BridgeStatus, GatewayStatus } from '../../domain/views/control.ts';
import { failedStarts } from '../../domain/views/session/failed-starts.ts';
import type { SessionRow } from '../../domain/views/session/session-row.ts';
import type { ProviderView } from '../../domain/views/tools.ts';
import { CliError } from '../cli-error.ts';
import { gatewayWords } from '../output/words/gateway-words.ts';
import { providerWords } from '../output/words/provider-words.ts';
import { serverCheck } from '../output/words/server-check.ts';
import { callBridge, readBridgeFile } from './control-client.ts';

export interface RunningBridge {
  /** Where it serves, and the folder it works in if it has said so; undefined when none runs. */
  running: { url: string; cwd?: string } | undefined;
  checks: Check[];
}

/** In which a running bridge has to answer. */
const patience = { timeoutMs: 5_000 };

/** Asks the bridge that runs on a state directory how it is. Never rejects for want of an answer. */
export async function runningBridge(state: string): Promise<RunningBridge> {
  try {
    const status = await callBridge(state, 'bridge.status', {}, patience);
    const rows = await callBridge(state, 'session.list', {}, patience);
    const cluster = await callBridge(state, 'cluster.status', {}, patience);
    // What is not connected says so by itself.
    const servers =
      cluster?.state === 'connected' && serverCheck(await callBridge(state, 'cluster.servers', {}, patience));
    const checks = [...bridgeChecks(status), ...(servers ? [servers] : []), ...failures(rows)];
    return { running: { url: status.url, cwd: status.cwd }, checks };
  } catch (error) {
    if (error instanceof UnsafePathError) {
      return { running: undefined, checks: [failed('bridge', error.message, error.suggestion)] };
    }
    if (!(error instanceof CliError)) throw error;
    if (error.exit === 'not_running') {
      return { running: undefined, checks: [ok('bridge', 'No bridge runs; `synthesis up` starts it.')] };
    }
    // It is there and keeps its port.
    return { running: readBridgeFile(state), checks: [failed('bridge', error.message, error.suggestion)] };
  }
}

/** What a running bridge says of itself and its sessions. */
function bridgeChecks(status: BridgeStatus): Check[] {
  // A bridge of an older release has no providers.
  const { version, pid, live, sessions, health, connections, providers = [] } = status;
  return [
    ok('bridge', `Bridge ${version} (pid ${pid}), ${live} of ${sessions} sessions live`),
    ...troubles(health),
    ...connections.map(gatewayCheck),
    ...providers.map(providerCheck),
  ];
}

/** Each once, however many sessions it concerns. What is so by choice is no finding. */
function troubles(health: BridgeStatus['health']): Check[] {
  const found = new Map(health.filter((each) => !each.info).map((each) => [each.words, each]));
  return [...found.values()].map(({ code, words, suggestion, failed: isFailed }) =>
    (isFailed ? failed : warning)(code, words, suggestion ?? remedies[code] ?? remedy),
  );
}

const remedy = 'Run `synthesis ps` to see which sessions are concerned.';
const clusterRemedy =
  '`synthesis cluster status` shows who is there, and `synthesis docs troubleshooting` what to do.';
const remedies: Record<string, string> = {
  cluster_unreachable: clusterRemedy,
  cluster_failing: clusterRemedy,
  cluster_full: clusterRemedy,
  cluster_name_taken: clusterRemedy,
  not_erased: clusterRemedy,
  notify: 'Run the program of `notify.command` by hand; the next notice tries it again.',
  anchor: 'Try the command by hand with a line of `synthesis audit anchor`; it is run again on its own.',
  disk_full: 'Make room on the disk of the state folder; the bridge goes on by itself.',
  disk_failed: 'Check the disk, then run `synthesis up`.',
  operator_secret: 'Set `operator.secret` again if that was not you. It is said until the next start.',
  host_unproven: 'Look at what runs as your user. `synthesis panic` stops everything.',
  host_without_session: 'Run `synthesis down`, then `synthesis up`. Conversations are kept.',
  session_without_host: 'Restart that session. The conversation is kept.',
  journal_repaired:
    'Look at the disk, and at the damaged file if you miss something. It is said until the next start.',
  journal_doubt: 'Run `synthesis audit verify`. It is said until the next start.',
};

/** Claude Codes that did not start. */
const failures = (rows: readonly SessionRow[]): Check[] =>
  failedStarts(rows).map(({ who, cause, remedy }) =>
    warning('sessions', `Claude Code does not run in ${who} (${cause}).`, remedy),
  );

function gatewayCheck(gateway: GatewayStatus): Check {
  const { name, away, refused } = gatewayAdvice[gateway.kind];
  const words = gatewayWords(gateway);
  switch (gateway.state) {
    case 'connected':
      return ok(name, words);
    case 'connecting':
    case 'reconnecting':
      return warning(name, words, away);
    case 'disconnected':
      return failed(name, words, refused);
  }
}

function providerCheck(view: ProviderView): Check {
  const words = providerWords(view);
  const look = `Run \`synthesis tools inspect ${view.provider}\` to see why, and what it printed last.`;
  switch (view.status) {
    case 'healthy':
      return ok('tools', words);
    case 'degraded':
      return warning('tools', words, look);
    case 'unavailable':
      return failed('tools', words, look);
  }
}

const gatewayAdvice = {
  agp: {
    name: 'agp',
    away: 'It is tried again on its own; check the address, the network and the token.',
    refused: 'Correct its entry under `agp`, or its token, and restart the bridge.',
  },
  openclaw: {
    name: 'openclaw-gateway',
    away: 'Start it with `openclaw gateway`; it is tried again on its own. Until then everything goes by text.',
    refused: 'Correct the token in the file that `openclaw.tokenFile` names; it is read again on its own.',
  },
};
