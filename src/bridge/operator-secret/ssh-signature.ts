// Signatures as `ssh-keygen -Y sign` makes them (PROTOCOL.sshsig and PROTOCOL.u2f of OpenSSH), checked without it.
import { hash, verify } from 'node:crypto';
import { parsePublicKey, type SshPublicKey } from './ssh-public-key.ts';
import { SshFormError, SshReader, sshString } from './ssh-reader.ts';

const magic = 'SSHSIG';
/** Of a touch key it has some 300 bytes. */
const maxBytes = 4_096;
/** In the flags of a touch key: somebody was there. */
const userPresent = 0x01;

export interface SshSignature {
  key: SshPublicKey;
  namespace: string;
  reserved: Buffer;
  hash: string;
  /** As the key made it. */
  made: { type: string; bytes: Buffer; device?: { flags: number; counter: Buffer } };
}

/** Reads the armoured form. @throws SshFormError */
export function parseSshSignature(armoured: string): SshSignature {
  const reader = new SshReader(bytesOf(armoured));
  if (reader.take(magic.length).toString('latin1') !== magic)
    throw new SshFormError('It is no signature of SSH.');
  if (reader.uint32() !== 1) throw new SshFormError('It is of another version.');
  const key = parsePublicKey(reader.string());
  const namespace = reader.text();
  const reserved = reader.string();
  const hashName = reader.text();
  const made = madeOf(reader.string(), key.application !== undefined);
  reader.end();
  return { key, namespace, reserved, hash: hashName, made };
}

export type SignatureCheck = { ok: true; key: SshPublicKey } | { ok: false; why: string };

/**
 * Returns which of `keys` has signed `text` for `namespace`, or why none has.
 * @throws nothing: what is not in the form of SSH proves nothing
 */
export function checkSshSignature(
  armoured: string,
  { text, namespace, keys }: { text: string; namespace: string; keys: readonly SshPublicKey[] },
): SignatureCheck {
  let signature: SshSignature;
  try {
    signature = parseSshSignature(armoured);
  } catch (error) {
    if (!(error instanceof SshFormError)) throw error;
    return { ok: false, why: `The signature cannot be read. ${error.message}` };
  }
  const key = keys.find(({ blob }) => blob.equals(signature.key.blob));
  if (!key) return { ok: false, why: `The key ${signature.key.fingerprint} is none of \`operator.secret\`.` };
  if (signature.namespace !== namespace)
    return {
      ok: false,
      why: `The signature was made for ${JSON.stringify(signature.namespace.slice(0, 64))}.`,
    };
  const { device } = signature.made;
  if (device && !(device.flags & userPresent))
    return { ok: false, why: 'The key was not touched: it was made with `no-touch-required`.' };
  return isSigned(signature, text)
    ? { ok: true, key }
    : { ok: false, why: 'The signature is for something else.' };
}

function bytesOf(armoured: string): Buffer {
  const body = /^-----BEGIN SSH SIGNATURE-----\r?\n([A-Za-z0-9+/=\r\n]*)-----END SSH SIGNATURE-----\s*$/.exec(
    armoured,
  );
  if (!body || armoured.length > 2 * maxBytes) throw new SshFormError('It is no armoured signature.');
  return Buffer.from(body[1] ?? '', 'base64');
}

function madeOf(blob: Buffer, isTouch: boolean): SshSignature['made'] {
  const reader = new SshReader(blob);
  const type = reader.text();
  const bytes = reader.string();
  const device = isTouch ? { flags: reader.take(1)[0] ?? 0, counter: reader.take(4) } : undefined;
  reader.end();
  return { type, bytes, ...(device && { device }) };
}

function isSigned({ key, namespace, reserved, hash: name, made }: SshSignature, text: string): boolean {
  if ((name !== 'sha256' && name !== 'sha512') || made.type !== key.type) return false;
  const digest = hash(name, text, 'buffer');
  const message = Buffer.concat([Buffer.from(magic), ...[namespace, reserved, name, digest].map(sshString)]);
  const signed = made.device ? deviceMessage(key.application ?? '', made.device, message) : message;
  if (key.curve === 'ed25519') return verify(null, signed, key.key, made.bytes);
  const pair = pairOf(made.bytes);
  return pair !== undefined && verify('sha256', signed, { key: key.key, dsaEncoding: 'ieee-p1363' }, pair);
}

/** What the device signs instead of the message itself. */
function deviceMessage(
  application: string,
  { flags, counter }: { flags: number; counter: Buffer },
  message: Buffer,
): Buffer {
  const sha256 = (bytes: Uint8Array | string) => hash('sha256', bytes, 'buffer');
  return Buffer.concat([sha256(application), Buffer.from([flags]), counter, sha256(message)]);
}

/** The two numbers of ECDSA, 32 bytes each; undefined when they are none. */
function pairOf(bytes: Buffer): Buffer | undefined {
  try {
    const reader = new SshReader(bytes);
    const numbers = [reader.string(), reader.string()].map((each) =>
      each[0] === 0 ? each.subarray(1) : each,
    );
    reader.end();
    if (numbers.some(({ length }) => length > 32)) return undefined;
    return Buffer.concat(numbers.map((each) => Buffer.concat([Buffer.alloc(32 - each.length), each])));
  } catch (error) {
    if (error instanceof SshFormError) return undefined;
    throw error;
  }
}
