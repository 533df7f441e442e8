// Where a bridge begins. Only wiring/ names concrete adapters.
import { systemClock } from '../base/time/clock.ts';
import type { Bridge, BridgeOptions } from './bridge.ts';
import { refused } from './bridge-refusal.ts';
import { BridgeStartError } from './bridge-start-error.ts';
import type { JournalHealth } from './journal/journal-state.ts';
import type { OpenedJournal } from './journal/start/open-journal.ts';
import { KnownSecrets } from './known-secrets.ts';
import { withoutValues } from './outgoing-masks.ts';
import { claimStateDir } from './state-files.ts';
import { whoRuns } from './who-runs.ts';
import { keyedJournal } from './wiring/journal/keyed-journal.ts';
import { fileLog } from './wiring/log/file-log.ts';
import { Wiring, type WiringOptions } from './wiring/wiring.ts';

export type { Bridge, BridgeOptions, ClaudeFate } from './bridge.ts';
export { BridgeStartError } from './bridge-start-error.ts';

/**
 * @throws BridgeStartError in words: port in use, a second bridge
 * @throws UnsafePathError when somebody else may have made or can replace what the bridge keeps on disk
 */
export async function startBridge(options: BridgeOptions): Promise<Bridge> {
  const { kind, from } = whoRuns(options.stateDir);
  // Claude would choose its flags, and it would end with that Claude Code.
  if (kind === 'claude') throw belowClaude(from);
  const stateDir = claimStateDir(options.stateDir);
  const known = new KnownSecrets(options.config, stateDir, systemClock);
  const file = fileLog(stateDir, options.config.log, (line) => withoutValues(line, known.values()));
  let opened: OpenedJournal | undefined;
  let bridge: Wiring | undefined;
  try {
    const secret = await secretOf(options, stateDir);
    const onHealth = (health: JournalHealth) => bridge?.journalHealth(health);
    const about = { dir: stateDir, log: file.log, clock: systemClock, onHealth };
    opened = await keyedJournal(about, options.config.audit.keyCommand);
    const agp = options.config.agp.length > 0 ? await import('./wiring/agp-gateway.ts') : undefined;
    bridge = new Wiring({ ...options, stateDir, secret, known }, opened, file, agp);
    await bridge.start();
    return bridge;
  } catch (error) {
    // What runs for it is not to suffer from a mistake in its settings.
    await (bridge?.close('it could not start', 'keep') ?? opened?.journal.close());
    await file.close();
    return refused(error);
  }
}

/** A bridge without the secret that it is to ask for would let everybody decide. @throws BridgeStartError */
async function secretOf({ config }: BridgeOptions, stateDir: string): Promise<WiringOptions['secret']> {
  const { secret: settings } = config.operator;
  if (!settings) return undefined;
  const [{ openOperatorSecret, SecretUnusableError }, { ConnectionProofs }] = await Promise.all([
    import('./operator-secret/operator-secret.ts'),
    import('./operator-secret/connection-proofs.ts'),
  ]);
  try {
    const secret = openOperatorSecret(settings, stateDir, systemClock);
    return { fingerprint: secret.fingerprint, connect: () => new ConnectionProofs(secret, systemClock) };
  } catch (error) {
    if (!(error instanceof SecretUnusableError)) throw error;
    throw new BridgeStartError('bad_secret', `${error.message} Nothing was started.`, error.remedy, error);
  }
}

const belowClaude = (from: string): BridgeStartError =>
  new BridgeStartError(
    'not_allowed',
    `A bridge does not run below a Claude Code of its own conversations (${from}). Nothing was changed.`,
    'Start it in a terminal of your own, or with another --state-dir.',
  );
