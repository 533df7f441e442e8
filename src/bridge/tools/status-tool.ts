// The bridge's own tool: how the providers are, so that Claude can choose another way before it fails.
import { toolName } from '../../domain/policy/provider-grants.ts';
import { succeeded } from '../../domain/tool-envelope.ts';
import type { ProviderView } from '../../domain/views/tools.ts';
import type { Envelope } from '../../protocol/envelope.ts';
import { bridgeProvider, type ToolPermission } from '../../protocol/provider.ts';
import type { ToolSpec } from '../../protocol/tool-spec.ts';

export const statusTool: ToolSpec = {
  name: toolName(bridgeProvider, 'status'),
  description:
    'Tells which providers of tools work now: healthy, degraded (with less than they could) or unavailable, and why. ' +
    'Every result of their tools says the same of itself in `status`.',
  parameters: { type: 'object', properties: {}, additionalProperties: false },
};

export const statusPermissions: readonly ToolPermission[] = ['read:status'];

/** How all of them are. */
export const statusEnvelope = (views: readonly ProviderView[]): Envelope =>
  succeeded({
    providers: views.map(({ provider, status, reason, since, tools }) => ({
      provider,
      status,
      reason,
      since,
      tools,
    })),
  });
