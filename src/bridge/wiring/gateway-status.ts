import type { GatewayStatus } from '../../domain/views/control.ts';
import type { AgpIngress } from '../ingress/agp/agp-ingress.ts';

export function gatewayStatus(gateway: AgpIngress): GatewayStatus {
  const { since, ...status } = gateway.status();
  return { kind: 'agp', url: gateway.url, ...status, since: new Date(since).toISOString() };
}
