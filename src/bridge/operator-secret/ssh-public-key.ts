import { createPublicKey, hash, type KeyObject } from 'node:crypto';
import { SshFormError, SshReader } from './ssh-reader.ts';

/** `sk-` in front: the key lies in a device, which wants a touch. */
export const sshKeyTypes = {
  'ssh-ed25519': { curve: 'ed25519', isTouch: false },
  'ecdsa-sha2-nistp256': { curve: 'p256', isTouch: false },
  'sk-ssh-ed25519@openssh.com': { curve: 'ed25519', isTouch: true },
  'sk-ecdsa-sha2-nistp256@openssh.com': { curve: 'p256', isTouch: true },
} as const;
export type SshKeyType = keyof typeof sshKeyTypes;

export interface SshPublicKey {
  type: SshKeyType;
  curve: 'ed25519' | 'p256';
  /** What the device was asked for when it made the key, such as `ssh:`; undefined for a key in a file. */
  application: string | undefined;
  key: KeyObject;
  /** The binary form: equal keys have equal ones. */
  blob: Buffer;
  /** As `ssh-keygen -l` prints it: `SHA256:…`. */
  fingerprint: string;
}

/** Reads a line of a `.pub` file. @throws SshFormError */
export function parsePublicKeyLine(line: string): SshPublicKey {
  const [name, base64 = ''] = line.trim().split(/\s+/, 2);
  const key = parsePublicKey(Buffer.from(base64, 'base64'));
  if (key.type !== name) throw new SshFormError(`It says ${name} and holds ${key.type}.`);
  return key;
}

/** @throws SshFormError */
export function parsePublicKey(blob: Buffer): SshPublicKey {
  const reader = new SshReader(blob);
  const type = reader.text();
  if (!isKeyType(type)) throw new SshFormError(`Keys of type ${type.slice(0, 64)} are not taken.`);
  const { curve, isTouch } = sshKeyTypes[type];
  if (curve === 'p256' && reader.text() !== 'nistp256') throw new SshFormError('It is of another curve.');
  const point = reader.string();
  const application = isTouch ? reader.text() : undefined;
  reader.end();
  const fingerprint = `SHA256:${hash('sha256', blob, 'base64').replace(/=+$/, '')}`;
  return { type, curve, application, key: keyOf(curve, point), blob, fingerprint };
}

const isKeyType = (name: string): name is SshKeyType => Object.hasOwn(sshKeyTypes, name);

function keyOf(curve: SshPublicKey['curve'], point: Buffer): KeyObject {
  const isWhole = curve === 'ed25519' ? point.length === 32 : point.length === 65 && point[0] === 4;
  if (!isWhole) throw new SshFormError('Its length is wrong.');
  const part = (from: number, to: number) => point.subarray(from, to).toString('base64url');
  const jwk =
    curve === 'ed25519'
      ? { kty: 'OKP', crv: 'Ed25519', x: part(0, 32) }
      : { kty: 'EC', crv: 'P-256', x: part(1, 33), y: part(33, 65) };
  try {
    return createPublicKey({ key: jwk, format: 'jwk' });
  } catch {
    throw new SshFormError('It is no point of its curve.');
  }
}
