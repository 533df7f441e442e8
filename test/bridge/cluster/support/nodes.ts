// Two nodes on real nats-servers, each with a connection and an endpoint of tunnels.
import type { Duplex } from 'node:stream';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { silentLog } from '../../../../src/base/log.ts';
import { systemClock } from '../../../../src/base/time/clock.ts';
import {
  TunnelEndpoint,
  type TunnelEndpointOptions,
} from '../../../../src/bridge/cluster/tunnel/endpoint.ts';
import type { TunnelHello } from '../../../../src/bridge/cluster/tunnel/hello.ts';
import { natsToken } from '../../../support/nats.ts';
import { until } from '../../../support/until.ts';

export const http: TunnelHello = { service: 'http', from: 'one' };

export const toServers = (servers: string[]) =>
  connect({ servers, token: natsToken, reconnectTimeWait: 100, maxReconnectAttempts: -1, noRandomize: true });

export class Node implements AsyncDisposable {
  readonly connection: NatsConnection;
  readonly endpoint: TunnelEndpoint;

  private constructor(connection: NatsConnection, options: Partial<TunnelEndpointOptions>) {
    this.connection = connection;
    this.endpoint = new TunnelEndpoint({ connection, clock: systemClock, log: silentLog, ...options });
  }

  static async start(servers: string[], options: Partial<TunnelEndpointOptions> = {}): Promise<Node> {
    return new Node(await toServers(servers), options);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.endpoint.close();
    await this.connection.close();
  }
}

/** Both ends of a new tunnel from one node to the other, which listens on `subject`. */
export async function tunnel(from: Node, to: Node, subject: string): Promise<[Duplex, Duplex]> {
  const accepted = Promise.withResolvers<Duplex>();
  to.endpoint.listen(subject, accepted.resolve);
  // Another server hears a moment later that somebody listens.
  const dial = () => from.endpoint.dial(subject, http, 10_000).catch(() => undefined);
  const dialled = await until('a listener', dial);
  return [dialled, await accepted.promise];
}
