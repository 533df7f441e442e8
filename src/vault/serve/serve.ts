// A vault for the MCP client at the other end of standard input and output.
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { Vault, type VaultOptions } from '../vault.ts';
import { vaultServer } from './vault-server.ts';

export interface ServeOptions extends Omit<VaultOptions, 'stays' | 'printed'> {
  /** Whether withheld lines can be released: only where a person is asked before each call. */
  releases: boolean;
}

/** Resolves when the client is gone. @throws UnsafePathError */
export async function serve(options: ServeOptions): Promise<void> {
  // Standard output is the protocol's.
  const printed = (text: string) => void process.stderr.write(text);
  const vault = new Vault({ ...options, stays: true, printed });
  const failed = (error: unknown) =>
    printed(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
  const server = vaultServer(vault, { ...options, failed });
  const gone = Promise.withResolvers<void>();
  server.server.onclose = gone.resolve;
  process.stdin.once('end', gone.resolve);
  process.stdout.once('error', () => gone.resolve());
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => gone.resolve());
  await server.connect(new StdioServerTransport());
  let isGone = false;
  void upToDate(vault, () => isGone);
  await gone.promise;
  isGone = true;
  vault.close();
  await server.close();
}

/** Somebody else may be at the same index: each try waits for him for some seconds. */
async function upToDate(vault: Vault, isOver: () => boolean): Promise<void> {
  do await vault.build();
  while (vault.job?.error?.reason === 'busy' && !isOver());
}
