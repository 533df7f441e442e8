// SSH keys as `ssh-keygen` makes them, and touch keys made by hand: no test has a device that could be touched.
import { execFileSync } from 'node:child_process';
import { generateKeyPairSync, hash, type KeyObject, sign } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export type FileKeyType = 'ed25519' | 'ecdsa';

export interface FileKey {
  /** Of the private half. */
  file: string;
  /** The line of its `.pub` file. */
  line: string;
  fingerprint: string;
}

/** A folder with keys; the private halves have no passphrase. */
export class SshKeys implements Disposable {
  readonly folder = mkdtempSync(join(tmpdir(), 'ssh-keys-'));

  make(type: FileKeyType = 'ed25519', name = `id_${type}`): FileKey {
    const file = join(this.folder, name);
    execFileSync('ssh-keygen', ['-q', '-t', type, '-N', '', '-C', `${name}@test`, '-f', file]);
    const [, fingerprint = ''] = execFileSync('ssh-keygen', ['-lf', `${file}.pub`], {
      encoding: 'utf8',
    }).split(' ');
    return { file, fingerprint, line: readFileSync(`${file}.pub`, 'utf8').trim() };
  }

  [Symbol.dispose](): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** Signs as a client does. */
export const signWith = (file: string, text: string, namespace: string): string =>
  execFileSync('ssh-keygen', ['-q', '-Y', 'sign', '-n', namespace, '-f', file], {
    input: text,
    encoding: 'utf8',
  });

const sshString = (bytes: Uint8Array | string): Buffer => {
  const content = Buffer.from(bytes as Uint8Array);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(content.length);
  return Buffer.concat([length, content]);
};

/** Somebody touched it. */
export const touched = 0x01;

/** A key as a device has it, with flags of the test's choice. */
export class TouchKey {
  readonly #private: KeyObject;
  readonly #type: string;
  readonly #blob: Buffer;
  readonly #curve: 'ed25519' | 'p256';
  /** The line of its `.pub` file. */
  readonly line: string;

  constructor(curve: 'ed25519' | 'p256' = 'ed25519') {
    this.#curve = curve;
    const { privateKey, publicKey } =
      curve === 'ed25519'
        ? generateKeyPairSync('ed25519')
        : generateKeyPairSync('ec', { namedCurve: 'P-256' });
    this.#private = privateKey;
    const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
    const part = (text: string) => Buffer.from(text, 'base64url');
    this.#type = curve === 'ed25519' ? 'sk-ssh-ed25519@openssh.com' : 'sk-ecdsa-sha2-nistp256@openssh.com';
    const parts =
      curve === 'ed25519'
        ? [this.#type, part(x), 'ssh:']
        : [this.#type, 'nistp256', Buffer.concat([Buffer.from([4]), part(x), part(y)]), 'ssh:'];
    this.#blob = Buffer.concat(parts.map(sshString));
    this.line = `${this.#type} ${this.#blob.toString('base64')} touch@test`;
  }

  /** Signs as `ssh-keygen` does with the device. */
  sign(text: string, namespace: string, flags = touched): string {
    const sha256 = (bytes: Uint8Array | string) => hash('sha256', bytes, 'buffer');
    const about = [namespace, '', 'sha512', hash('sha512', text, 'buffer')];
    const message = Buffer.concat([Buffer.from('SSHSIG'), ...about.map(sshString)]);
    const state = Buffer.from([flags, 0, 0, 0, 7]);
    const signed = Buffer.concat([sha256('ssh:'), state, sha256(message)]);
    const made = Buffer.concat([sshString(this.#type), sshString(this.#bytesOf(signed)), state]);
    const version = Buffer.from([0, 0, 0, 1]);
    const parts = [this.#blob, Buffer.from(namespace), Buffer.alloc(0), Buffer.from('sha512'), made];
    const whole = Buffer.concat([Buffer.from('SSHSIG'), version, ...parts.map(sshString)]);
    const lines = whole.toString('base64').match(/.{1,70}/g) ?? [];
    return `-----BEGIN SSH SIGNATURE-----\n${lines.join('\n')}\n-----END SSH SIGNATURE-----\n`;
  }

  #bytesOf(signed: Buffer): Buffer {
    if (this.#curve === 'ed25519') return sign(null, signed, this.#private);
    const pair = sign('sha256', signed, { key: this.#private, dsaEncoding: 'ieee-p1363' });
    return Buffer.concat([pair.subarray(0, 32), pair.subarray(32)].map((each) => sshString(asNumber(each))));
  }
}

/** As SSH writes numbers: no zeros in front but the one that keeps it positive. */
function asNumber(bytes: Buffer): Buffer {
  const first = bytes.findIndex((byte) => byte !== 0);
  const short = bytes.subarray(first);
  return (short[0] ?? 0) & 0x80 ? Buffer.concat([Buffer.from([0]), short]) : short;
}
