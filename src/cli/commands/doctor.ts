import { type Check, diagnosis } from '../../domain/views/check.ts';
import type { BridgeStatus, GatewayStatus } from '../../domain/views/control.ts';
import { CliError } from '../cli-error.ts';
import { callBridge } from '../client/control-client.ts';
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

export async function doctor(options: DoctorOptions): Promise<number> {
  const { state, claude, openclaw, json } = options;
  const config = readConfig(configFile(process.env), process.env, { claude });
  const status = await runningBridge(state);
  const { examine } = await import('../../bridge/doctor.ts');
  const running = status && { url: status.url };
  const checks = await examine({ config, stateDir: state, openclaw, env: process.env, running });
  const result = diagnosis([...checks, ...bridgeChecks(status)]);
  if (json) printJson(result);
  else for (const check of result.checks) showCheck(check);
  return result.status === 'healthy' ? exitCodes.ok : exitCodes.degraded;
}

async function runningBridge(state: string): Promise<BridgeStatus | undefined> {
  try {
    return await callBridge(state, 'bridge.status', {}, { timeoutMs: 5_000 });
  } catch (error) {
    if (error instanceof CliError && error.exit === 'not_running') return undefined;
    throw error;
  }
}

/** What a running bridge says of itself and its sessions. */
function bridgeChecks(status: BridgeStatus | undefined): Check[] {
  if (!status) {
    return [
      {
        name: 'bridge',
        status: 'ok',
        message: 'No bridge runs; `synthesis up` starts it.',
        suggestion: null,
      },
    ];
  }
  const about = `Bridge ${status.version} (pid ${status.pid}), ${status.live} of ${status.sessions} sessions live`;
  const sessions = status.health.map((each) => ({
    name: each.code,
    status: each.info ? ('ok' as const) : ('warning' as const),
    message: each.words,
    suggestion: each.info ? null : 'Run `synthesis ps` to see which sessions are concerned.',
  }));
  const gateways = status.connections.map(gatewayCheck);
  return [{ name: 'bridge', status: 'ok', message: about, suggestion: null }, ...sessions, ...gateways];
}

function gatewayCheck(gateway: GatewayStatus): Check {
  const message = gatewayWords(gateway);
  switch (gateway.state) {
    case 'connected':
      return { name: 'agp', status: 'ok', message, suggestion: null };
    case 'connecting':
    case 'reconnecting':
      return {
        name: 'agp',
        status: 'warning',
        message,
        suggestion: 'It is tried again on its own; check the address, the network and the token.',
      };
    case 'disconnected':
      return {
        name: 'agp',
        status: 'failed',
        message,
        suggestion: 'Correct its entry under `agp`, or its token, and restart the bridge.',
      };
  }
}
