import { randomUUID } from 'node:crypto';
import { tokenSource } from '../../base/files/token-source.ts';
import { newId } from '../../base/ids.ts';
import type { Log } from '../../base/log.ts';
import { systemClock } from '../../base/time/clock.ts';
import type { GatewayStatus } from '../../domain/views/control.ts';
import type { AgpGateway, Config } from '../../protocol/settings/config.ts';
import type { VerdictDesk } from '../app/desks/verdict-desk.ts';
import type { Dispatcher } from '../app/dispatcher.ts';
import type { Masks } from '../app/masking.ts';
import type { MessageGate } from '../app/message-gate.ts';
import type { Readers } from '../app/reader/reader.ts';
import { AgpIngress } from '../ingress/agp/agp-ingress.ts';
import { dialGateway } from '../ingress/agp/dial.ts';
import { launchOptions } from '../profiles.ts';
import { gatewayStatus } from './gateway-status.ts';
import { queueDesk } from './queue-desk.ts';

export interface GatewayOptions {
  config: Config & { cwd: string };
  log: Log;
  dispatcher: Dispatcher;
  readers: Readers;
  masks: Masks;
  verdicts: VerdictDesk;
  gate: MessageGate;
  changed(status: GatewayStatus): void;
}

/** One configured connection to a WeChat gateway; it dials when it is started. */
export function agpGateway(settings: AgpGateway, options: GatewayOptions): AgpIngress {
  const { config, changed, ...shared } = options;
  const { url, guid, userId, reconnectInterval, maxReconnectAttempts, heartbeatInterval } = settings;
  const gateway: AgpIngress = new AgpIngress({
    ...shared,
    url,
    token: tokenSource(settings),
    reconnectMs: reconnectInterval,
    maxAttempts: maxReconnectAttempts,
    heartbeatMs: heartbeatInterval,
    clock: systemClock,
    dial: dialGateway,
    random: Math.random,
    newTurnId: () => newId('t'),
    newClaudeId: randomUUID,
    newMessageId: randomUUID,
    queue: queueDesk(config, options.dispatcher),
    launchFor: (key) => launchOptions(config, key),
    changed: () => changed(gatewayStatus(gateway)),
    ...(guid !== undefined && { guid }),
    ...(userId !== undefined && { userId }),
  });
  return gateway;
}
