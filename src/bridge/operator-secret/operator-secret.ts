// What `operator.secret` names, read once: what it asks for, and whether what is shown proves a person (decision 0059).

import { hashId } from '../../base/digest.ts';
import { tokenSource } from '../../base/files/token-source.ts';
import type { Clock } from '../../base/time/clock.ts';
import { type Challenge, type Proof, proofNamespace } from '../../domain/views/operator-proof.ts';
import type { OperatorSecret as Settings } from '../../protocol/settings/operator-secret.ts';
import { fromBase32 } from './base32.ts';
import { ProofFile, waitAfter } from './proof-record.ts';
import { parsePublicKeyLine, type SshPublicKey } from './ssh-public-key.ts';
import { SshFormError } from './ssh-reader.ts';
import { checkSshSignature } from './ssh-signature.ts';
import { checkCode, codeForm } from './totp.ts';

/** What is wrong with the setting, in words. */
export class SecretUnusableError extends Error {
  /** What to do about it, a sentence. */
  readonly remedy =
    'Correct `operator.secret`: `synthesis secret new` makes one, `synthesis docs config` explains it.';

  constructor(message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'SecretUnusableError';
  }
}

/** Distributes over the kinds. */
type Asked<T> = T extends unknown ? Omit<T, 'nonce'> : never;

export type ProofCheck =
  /** `by`: `ssh-ed25519 SHA256:…` or `code`. */
  | { ok: true; by: string }
  /** `again`: another try may be right. */
  | { ok: false; why: string; again: boolean };

export interface OperatorSecret {
  /** Names it, and gives nothing of it away. */
  readonly fingerprint: string;
  readonly kind: Settings['kind'];
  /** What is asked for. */
  readonly asks: Asked<Challenge>;
  /** Returns whether it is proven. What was shown counts once. @param text what a signature is over */
  check(proof: Proof, text: string): ProofCheck;
}

/** Shortest key of an app, bytes: RFC 4226 wants 16. */
const minKeyBytes = 16;

/** Reads the files that the setting names. @throws SecretUnusableError */
export function openOperatorSecret(
  settings: Settings,
  stateDir: string,
  clock: Pick<Clock, 'wall'>,
): OperatorSecret {
  return settings.kind === 'ssh-key'
    ? new SshKeys(settings.keys)
    : new AppCodes(keyIn(settings.file), new ProofFile(stateDir), clock);
}

class SshKeys implements OperatorSecret {
  readonly kind = 'ssh-key';
  readonly fingerprint: string;
  readonly asks: Asked<Challenge>;
  readonly #keys: readonly SshPublicKey[];

  constructor(lines: readonly string[]) {
    this.#keys = lines.map(keyOf);
    const names = this.#keys.map(({ fingerprint }) => fingerprint).toSorted();
    this.fingerprint =
      names.length === 1 ? (names[0] ?? '') : `${names.length} keys ${hashId(names.join(' '))}`;
    this.asks = { kind: 'ssh-key', keys: lines };
  }

  check(proof: Proof, text: string): ProofCheck {
    if (!('signature' in proof))
      return { ok: false, why: 'A signature is wanted here, and no code.', again: false };
    const checked = checkSshSignature(proof.signature, { text, namespace: proofNamespace, keys: this.#keys });
    if (!checked.ok) return { ...checked, again: false };
    return { ok: true, by: `${checked.key.type} ${checked.key.fingerprint}` };
  }
}

class AppCodes implements OperatorSecret {
  readonly kind = 'totp';
  readonly asks: Asked<Challenge> = { kind: 'totp' };
  readonly fingerprint: string;
  readonly #key: Buffer;
  readonly #file: ProofFile;
  readonly #clock: Pick<Clock, 'wall'>;

  constructor(key: Buffer, file: ProofFile, clock: Pick<Clock, 'wall'>) {
    this.#key = key;
    this.#file = file;
    this.#clock = clock;
    this.fingerprint = `totp ${hashId(key.toString('hex'))}`;
    requireReadable(file, this.fingerprint);
  }

  check(proof: Proof): ProofCheck {
    const code = 'code' in proof ? proof.code.replace(/\s/g, '') : '';
    if (!codeForm.test(code)) return { ok: false, why: 'A code has six digits.', again: true };
    const now = this.#clock.wall();
    const record = this.#file.load(this.fingerprint);
    if (record.until > now) {
      const seconds = Math.ceil((record.until - now) / 1000);
      const why = `${record.wrong} wrong codes came in a row: the next one counts in ${seconds} s.`;
      return { ok: false, why, again: false };
    }
    const checked = checkCode(this.#key, code, now, record.step);
    switch (checked.name) {
      case 'used':
        return { ok: false, why: 'That code was used already: wait for the next one.', again: true };
      case 'wrong': {
        const wrong = record.wrong + 1;
        this.#file.save({ ...record, wrong, until: now + waitAfter(wrong) });
        return { ok: false, why: 'That code is wrong.', again: waitAfter(wrong) === 0 };
      }
      case 'right':
        this.#file.save({ ...record, step: checked.step, wrong: 0, until: 0 });
        return { ok: true, by: 'code' };
    }
  }
}

function keyOf(line: string): SshPublicKey {
  try {
    return parsePublicKeyLine(line);
  } catch (error) {
    if (!(error instanceof SshFormError)) throw error;
    const name = line.split(' ').slice(2).join(' ').slice(0, 80) || `${line.slice(0, 40)}…`;
    throw new SecretUnusableError(
      `The public key ${JSON.stringify(name)} cannot be used. ${error.message}`,
      error,
    );
  }
}

/** What somebody else may have put in its place is found now, and not with the first code. */
function requireReadable(file: ProofFile, fingerprint: string): void {
  try {
    file.load(fingerprint);
  } catch (error) {
    const words = error instanceof Error ? error.message : String(error);
    throw new SecretUnusableError(`What is known of codes cannot be read: ${words}`, error);
  }
}

function keyIn(file: string): Buffer {
  const read = tokenSource({ tokenFile: file })();
  if (!read.ok) throw new SecretUnusableError(`The key of the app cannot be read: ${read.words}.`);
  const key = fromBase32(read.token);
  if (!key || key.length < minKeyBytes)
    throw new SecretUnusableError(`${file} holds no key of an app: base32 of at least ${minKeyBytes} bytes.`);
  return key;
}
