// The bridge's own tool: how the providers are, so that Claude can choose another way before it fails.
import { statusTool } from '../../domain/policy/provider-grants.ts';
import { succeeded } from '../../domain/tools/tool-envelope.ts';
import type { ProviderView } from '../../domain/views/tools.ts';
import type { Envelope } from '../../protocol/envelope.ts';
import type { ToolSpec } from '../../protocol/tool-spec.ts';

export const statusSpec: ToolSpec = {
  name: statusTool.name,
  description:
    'Tells which providers of tools work now: healthy, degraded (with less than they could) or unavailable, and why. ' +
    'Every result of their tools says the same of itself in `status`.',
  parameters: { type: 'object', properties: {}, additionalProperties: false },
};

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
