// What a choice of embeddings and engine needs beside this program: installed when it is chosen.
import type { VaultSettings } from '../../../../protocol/settings/vault.ts';
import type { ExtraName } from '../../../../vault/extras/extra.ts';
import { CliError } from '../../../cli-error.ts';
import { say } from '../../../output/out.ts';

/** What is downloaded, for people who pay for it. */
const sizes: Readonly<Record<ExtraName, string>> = {
  'sentence-encoder': 'a small English model, 32 MB',
  lancedb: 'LanceDB, 210 MB',
};

export const extrasOf = ({
  embeddings,
  engine,
}: Pick<VaultSettings, 'embeddings' | 'engine'>): ExtraName[] => [
  ...(embeddings === 'builtin' ? (['sentence-encoder'] as const) : []),
  ...(embeddings !== 'none' && engine === 'lancedb' ? (['lancedb'] as const) : []),
];

/**
 * Ctrl-C ends the installation, and nothing is left of it.
 *
 * @param quiet nothing is said
 * @throws CliError `not_installed`, UnsafePathError
 */
export async function installed(state: string, settings: VaultSettings, quiet: boolean): Promise<void> {
  const { isInstalled } = await import('../../../../vault/extras/extra.ts');
  const missing = extrasOf(settings).filter((name) => !isInstalled(state, name));
  if (missing.length === 0) return;
  const { installExtra } = await import('../../../../vault/extras/install-extra.ts');
  const { ExtraError } = await import('../../../../vault/extras/extra-error.ts');
  const stopped = new AbortController();
  const stop = () => stopped.abort();
  for (const signal of signals) process.once(signal, stop);
  try {
    for (const name of missing) {
      if (!quiet) say(`Installing ${sizes[name]}, with npm …`);
      await installExtra(name, state, { signal: stopped.signal, printed: () => {} });
    }
  } catch (error) {
    if (!(error instanceof ExtraError)) throw error;
    const exit = error.fault === 'cancelled' ? 'interrupted' : 'failure';
    throw new CliError(exit, 'not_installed', error.message, error.suggestion);
  } finally {
    for (const signal of signals) process.off(signal, stop);
  }
}

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
