import { type Check, failed, ok, warning } from '../../../domain/views/check.ts';
import { openOperatorSecret, SecretUnusableError } from '../../operator-secret/operator-secret.ts';
import type { Examination } from '../examination.ts';

const name = 'secret';

/** Says which secret decisions take here, and what that does not hold. */
export const operatorSecret: Examination = async ({ config, stateDir }) => {
  const { secret } = config.operator;
  if (!secret) return [];
  try {
    const { fingerprint } = openOperatorSecret(secret, stateDir, { wall: Date.now });
    const held = `Nothing is allowed here without your ${secret.kind === 'totp' ? 'code' : 'key'} (${fingerprint}).`;
    return [secret.kind === 'totp' ? readable(held, secret.file) : shown(held, secret.keys)];
  } catch (error) {
    if (!(error instanceof SecretUnusableError)) throw error;
    return [failed(name, error.message, error.remedy)];
  }
};

/** A yes in a chat has nothing to do with this machine. */
const chats = 'Chats that may answer still do.';

const readable = (held: string, file: string): Check =>
  ok(name, `${held} ${chats} Programs that run as you can read ${file} and make codes of their own.`);

function shown(held: string, keys: readonly string[]): Check {
  const words = `${held} The key does not show what you allow. ${chats}`;
  if (keys.every((key) => key.startsWith('sk-'))) return ok(name, words);
  return warning(
    name,
    `${words} A key that wants no touch signs for every program of yours that reaches it, in your ssh-agent or in a file without a passphrase.`,
    'Use a key that wants a touch (`ssh-keygen -t ed25519-sk`), or have the agent ask each time (`ssh-add -c`).',
  );
}
