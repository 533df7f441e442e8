import { failed } from '../../../domain/tools/tool-envelope.ts';
import type { BridgeStatus } from '../../../domain/views/control.ts';
import type { ProviderView } from '../../../domain/views/tools.ts';

/** What `/healthz` says: how the bridge is and, where there are any, how each provider of tools is. */
export const healthReport = ({ status, providers }: BridgeStatus) => ({
  status,
  ...(providers.length > 0 && { providers: providers.map(providerReport) }),
});

const providerReport = ({ provider, status, reason }: ProviderView) => ({
  provider,
  status,
  error: status === 'healthy' ? null : failed(codes[status], reason ?? '').error,
});

const codes = { degraded: 'PROVIDER_DEGRADED', unavailable: 'PROVIDER_UNAVAILABLE' } as const;
