// The vault as an MCP server of OpenClaw, for agents of other models than Claude.
import { isDeepStrictEqual } from 'node:util';
import { type Check, ok, warning } from '../../domain/views/check.ts';
import type { ConfigView } from './config-view.ts';
import { isObject, type Patch } from './provider-entry.ts';

/** Under this name; OpenClaw's agents call `vault__obsidian_rag_search`. */
export const vaultServerId = 'vault';

/** An MCP server on standard input and output, as OpenClaw writes it down. */
export interface VaultServer {
  command: string;
  args: readonly string[];
  env?: Readonly<Record<string, string>>;
}

export const vaultServerPatch = (server: VaultServer): Patch => ({
  mcp: { servers: { [vaultServerId]: server } },
});

/** Whether an entry of that name is one of ours: somebody else may have a server that is called so. */
export const isOurs = (entry: unknown): boolean =>
  isObject(entry) && Array.isArray(entry.args) && entry.args.slice(1, 3).join(' ') === 'vault serve';

/** Nothing to say where OpenClaw has no such server. */
export async function vaultServerCheck(view: ConfigView, server: VaultServer): Promise<Check[]> {
  const entry = await view.get('mcp', 'servers', vaultServerId);
  if (!isOurs(entry)) return [];
  const { command, args } = entry as Partial<VaultServer>;
  const name = 'vault';
  if (isDeepStrictEqual([command, args], [server.command, server.args]))
    return [ok(name, 'OpenClaw starts the vault as an MCP server.')];
  const words = 'OpenClaw starts the vault with another program or state folder than these.';
  return [warning(name, words, 'Run `synthesis openclaw install --with-vault`.')];
}
