// Proves a decision where no bridge is there to ask for it: lifting a panic, or another secret in the configuration.
// Whoever edits these files by hand is not asked; the next start of the bridge tells of it.
import { systemClock } from '../../base/time/clock.ts';
import { OperatorSecret } from '../../protocol/settings/operator-secret.ts';
import { CliError } from '../cli-error.ts';
import { readConfigFile, valueAt } from '../config/config-file.ts';
import { proveAtTerminal } from './at-terminal.ts';

const secretKey = 'operator.secret';
const maxAttempts = 3;

export interface OfflineCall {
  /** State directory that remembers which code counted last. */
  state: string;
  /** The configuration that names the secret. */
  configFile: string;
  method: string;
  params: unknown;
}

/** Returns once it is proven, at once where no secret is configured. @throws CliError when it is not */
export async function proveOffline({ state, configFile, method, params }: OfflineCall): Promise<void> {
  const settings = configured(configFile);
  if (!settings) return;
  const [{ openOperatorSecret, SecretUnusableError }, { ConnectionProofs }] = await Promise.all([
    import('../../bridge/operator-secret/operator-secret.ts'),
    import('../../bridge/operator-secret/connection-proofs.ts'),
  ]);
  const call = { method, params };
  try {
    const proofs = new ConnectionProofs(openOperatorSecret(settings, state, systemClock), systemClock);
    let why: string | undefined;
    for (let attempt = 1; attempt <= maxAttempts; attempt += 1) {
      const challenge = proofs.ask(call);
      const checked = proofs.check(await proveAtTerminal({ ...call, challenge, why, attempt }), call);
      if (checked.ok) return;
      why = checked.why;
      if (!checked.again) break;
    }
    throw unproven(why ?? '');
  } catch (error) {
    if (error instanceof SecretUnusableError) throw unproven(error.message);
    throw error;
  }
}

/** @throws CliError `bad_config` when it cannot be told whether there is one */
function configured(path: string): OperatorSecret | undefined {
  const value = valueAt(readConfigFile(path), secretKey);
  if (value === undefined) return undefined;
  const parsed = OperatorSecret.safeParse(value);
  if (parsed.success) return parsed.data;
  throw new CliError(
    'usage',
    'bad_config',
    `\`${secretKey}\` in ${path} is not valid. Nothing was changed.`,
    'Correct it in the file: `synthesis docs config` explains it.',
  );
}

const unproven = (why: string): CliError =>
  new CliError(
    'denied',
    'not_allowed',
    `This takes a proof of the operator secret. ${why} Nothing was changed.`,
    '`synthesis docs permissions` says how to prove it, and what to do when the secret is lost.',
  );
