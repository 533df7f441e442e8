// A name that no provider has is answered with those that there are.

import { CliError } from '../../cli-error.ts';
import type { RpcConnection } from '../../client/rpc-connection.ts';
import { nearest } from '../../nearest.ts';

/** Milliseconds in which a bridge tells what it knows of its providers. */
export const lookMs = 10_000;

/** Names that a sentence has room for. */
const mostNames = 10;

/** @param spared what was left as it is, for a command that changes something */
export const unknownProvider = (name: string, names: readonly string[], spared = ''): CliError =>
  new CliError(
    'not_found',
    'no_such_provider',
    `There is no provider "${name}".${spared && ` ${spared}`}`,
    whichThen(name, names),
  );

function whichThen(name: string, names: readonly string[]): string {
  if (names.length === 0) return 'There is none at all yet: synthesis tools add --help';
  const near = nearest(name, names);
  if (near !== undefined) return `Did you mean ${near}?`;
  const more = names.length > mostNames ? ', …' : '';
  return `There are: ${names.slice(0, mostNames).join(', ')}${more}`;
}

/** @throws CliError `no_such_provider` that names what was probably meant, instead of the bridge's own */
export async function ofProvider<T>(
  bridge: RpcConnection,
  name: string,
  work: Promise<T>,
  spared?: string,
): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof CliError) || error.code !== 'no_such_provider') throw error;
    const views = await bridge.call('tools.list', {}, { timeoutMs: lookMs });
    throw unknownProvider(
      name,
      views.map(({ provider }) => provider),
      spared,
    );
  }
}
