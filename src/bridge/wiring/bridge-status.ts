import type { Session } from '../../domain/state/session.ts';
import type { BridgeNotice, BridgeStatus, GatewayStatus, PanicView } from '../../domain/views/control.ts';
import type { ProviderView } from '../../domain/views/tools.ts';
import type { Health } from '../../protocol/events/events.ts';

/** With these it takes no new message. */
const unavailable: ReadonlySet<string> = new Set(['disk_full', 'disk_failed']);

export interface BridgeParts {
  sessions: readonly Session[];
  /** Undefined: not configured. */
  connections: readonly (GatewayStatus | undefined)[];
  providers: ProviderView[];
  stopping: boolean;
  panic: PanicView | null;
  own: readonly Health[];
}

/** The same, with more that is wrong with the bridge itself. */
export const withNotices = (status: BridgeStatus, more: readonly BridgeNotice[]): BridgeStatus =>
  more.length === 0
    ? status
    : {
        ...status,
        status: status.status === 'healthy' ? 'degraded' : status.status,
        notices: [...status.notices, ...more],
        health: [...more, ...status.health],
      };

/** How the bridge is, from what its sessions, connections and providers say. */
export function bridgeStatus(
  about: Pick<BridgeStatus, 'version' | 'url' | 'state_dir' | 'cwd' | 'started_at'>,
  { sessions, providers, stopping, panic, own, ...parts }: BridgeParts,
): BridgeStatus {
  const connections = parts.connections.filter((each) => each !== undefined);
  const health = [...own, ...sessions.flatMap((session) => session.health)];
  const unwell =
    health.some((each) => !each.info) ||
    panic !== null ||
    connections.some(({ state }) => state !== 'connected') ||
    providers.some(({ status }) => status !== 'healthy');
  return {
    ...about,
    pid: process.pid,
    sessions: sessions.length,
    live: sessions.filter((session) => session.agent.name === 'ready').length,
    status:
      stopping || own.some(({ code }) => unavailable.has(code))
        ? 'unavailable'
        : unwell
          ? 'degraded'
          : 'healthy',
    notices: own.map(({ code, words }) => ({ code, words })),
    health,
    connections,
    providers,
    panic,
  };
}
