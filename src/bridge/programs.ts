// Programs of this package that the bridge starts. src/bridge, dist/chunks and dist/up lie two folders below its root.
import { fileURLToPath } from 'node:url';

const built = (path: string): string => fileURLToPath(new URL(`../../dist/${path}`, import.meta.url));

/** The MCP server that Claude Code starts. */
export const channelProgram = built('channel/main.js');
/** Has the terminal and the hooks of one Claude Code. */
export const hostProgram = built('host/main.js');
/** A vault as a provider of tools. */
export const vaultProgram = built('vault/provider.js');
