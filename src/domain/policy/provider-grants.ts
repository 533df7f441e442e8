// What the operator grants to the tools of providers. Pure.
import { fitsWildcard } from '../../base/text/wildcard.ts';
import { bridgeProvider, type Provider, type ToolPermission } from '../../protocol/settings/provider.ts';
import { vaultProvider, vaultTools } from '../../protocol/settings/vault.ts';
import type { Call } from './call.ts';

/** What the operator grants to a tool, by its provider's own name of it; nothing where no entry fits. */
export function granted(permissions: Provider['permissions'], tool: string): readonly ToolPermission[] {
  if (Array.isArray(permissions)) return permissions;
  if (Object.hasOwn(permissions, tool)) return permissions[tool] ?? [];
  return Object.entries(permissions).find(([pattern]) => fitsWildcard(pattern, tool))?.[1] ?? [];
}

/** As Claude calls it. A provider's name holds no `_`, but for a vault's: names of two providers never clash. */
export const toolName = (provider: string, tool: string): string =>
  isVault(provider) ? tool : `${provider}_${tool}`.replace(/[^A-Za-z0-9_-]/g, '_');

/** The bridge names those of its vaults; their tools have the same names everywhere. */
export const isVault = (provider: string): boolean =>
  provider === vaultProvider || provider.startsWith(`${vaultProvider}_`);

/** What a vault's tools may do: of its own folder it needs no leave to read, and a secret in it leaves this machine. */
export const vaultGrants: Granting & { permissions: Record<string, ToolPermission[]> } = {
  name: vaultProvider,
  tools: Object.values(vaultTools),
  permissions: {
    [vaultTools.search]: ['read:vault'],
    [vaultTools.status]: ['read:vault'],
    [vaultTools.index]: ['read:vault'],
    [vaultTools.store]: ['write:vault'],
    [vaultTools.release]: ['net'],
  },
};

/** The bridge's own tool, which tells how the providers are. */
export const statusTool: { name: string; permissions: readonly ToolPermission[] } = {
  name: toolName(bridgeProvider, 'status'),
  permissions: ['read:status'],
};

type Granting = Pick<Provider, 'name' | 'tools' | 'permissions'>;

/** A call by Claude's name of the tool, as it is judged if a provider offers that: without asking the provider. */
export function configuredCall(providers: readonly Granting[], call: Call): Call {
  if (call.lent && providers.length > 0 && call.tool === statusTool.name)
    return { ...call, provider: bridgeProvider, permissions: statusTool.permissions };
  const provider = call.lent && providers.find(({ name }) => call.tool.startsWith(`${name}_`));
  if (!provider) return call;
  const tool = originalName(provider, call.tool);
  const permissions = granted(provider.permissions, tool);
  // Claude does not get it from there: it is the hub's.
  if (permissions.length === 0 || !provider.tools.some((wanted) => fitsWildcard(wanted, tool))) return call;
  return { ...call, provider: provider.name, permissions };
}

/** The provider's name of it, as far as the configuration writes it; else what stands in Claude's. */
function originalName({ name, tools, permissions }: Granting, tool: string): string {
  const written = [...tools, ...(Array.isArray(permissions) ? [] : Object.keys(permissions))];
  return written.find((each) => toolName(name, each) === tool) ?? tool.slice(name.length + 1);
}
