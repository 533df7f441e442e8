import { type Check, diagnosis, failed, ok, warning } from '../../domain/views/check.ts';
import type { BridgeStatus, GatewayStatus } from '../../domain/views/control.ts';
import { CliError } from '../cli-error.ts';
import { callBridge, readBridgeFile } from '../client/control-client.ts';
import { readConfig } from '../config.ts';
import { exitCodes } from '../exit-codes.ts';
import { showCheck } from '../output/check-line.ts';
import { gatewayWords } from '../output/gateway-words.ts';
import { printJson } from '../output/out.ts';
import { configFile } from '../paths.ts';

export interface DoctorOptions {
  state: string;
  claude?: string;
  openclaw: string;
  json: boolean;
}

/** Looks at everything side by side; for a person each finding appears as soon as those before it are there. */
export async function doctor(options: DoctorOptions): Promise<number> {
  const { state, claude, openclaw, json } = options;
  const config = readConfig(configFile(process.env), process.env, { claude });
  const bridge = await runningBridge(state);
  const { examine } = await import('../../bridge/doctor/examine.ts');
  const { running } = bridge;
  const looks = examine({ config, stateDir: state, openclaw, env: process.env, running });
  const found: Check[] = [];
  for (const look of [Promise.resolve(bridge.checks), ...looks]) {
    const checks = await look;
    found.push(...checks);
    if (!json) for (const check of checks) showCheck(check);
  }
  const result = diagnosis(found);
  if (json) printJson(result);
  return result.status === 'healthy' ? exitCodes.ok : exitCodes.degraded;
}

interface RunningBridge {
  /** Where it serves; undefined when none runs. */
  running: { url: string } | undefined;
  checks: Check[];
}

/** Milliseconds in which a running bridge has to answer. */
const answerMs = 5_000;

async function runningBridge(state: string): Promise<RunningBridge> {
  try {
    const status = await callBridge(state, 'bridge.status', {}, { timeoutMs: answerMs });
    return { running: { url: status.url }, checks: bridgeChecks(status) };
  } catch (error) {
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
  const { version, pid, live, sessions, health, connections } = status;
  return [
    ok('bridge', `Bridge ${version} (pid ${pid}), ${live} of ${sessions} sessions live`),
    ...troubles(health),
    ...connections.map(gatewayCheck),
  ];
}

/** Each once, however many sessions it concerns. What is so by choice is no finding. */
function troubles(health: BridgeStatus['health']): Check[] {
  const codes = new Map(health.filter((each) => !each.info).map(({ words, code }) => [words, code]));
  const remedy = 'Run `synthesis ps` to see which sessions are concerned.';
  return [...codes].map(([words, code]) => warning(code, words, remedy));
}

function gatewayCheck(gateway: GatewayStatus): Check {
  const name = 'agp';
  const words = gatewayWords(gateway);
  switch (gateway.state) {
    case 'connected':
      return ok(name, words);
    case 'connecting':
    case 'reconnecting':
      return warning(
        name,
        words,
        'It is tried again on its own; check the address, the network and the token.',
      );
    case 'disconnected':
      return failed(name, words, 'Correct its entry under `agp`, or its token, and restart the bridge.');
  }
}
