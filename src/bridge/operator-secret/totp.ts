// Codes that change with the time (RFC 6238), as every app for them makes them: SHA-1, six digits, 30 seconds.
import { createHmac } from 'node:crypto';
import { sameSecret } from '../../base/secret.ts';

const stepMs = 30_000;
const digits = 6;
/** Steps before and after the present one whose code holds, for clocks that go wrong and people who type. */
const drift = 1;

export const codeForm = /^\d{6}$/;

/** Returns the code of the step that `at` lies in. @param at epoch ms */
export const codeAt = (key: Uint8Array, at: number): string => codeOf(key, stepOf(at));

export const stepOf = (at: number): number => Math.floor(at / stepMs);

/** @param length of the code: RFC 6238 shows eight digits */
export function codeOf(key: Uint8Array, step: number, length = digits): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const mac = createHmac('sha1', key).update(counter).digest();
  const number = mac.readUInt32BE((mac[19] ?? 0) & 0x0f) & 0x7f_ff_ff_ff;
  return String(number % 10 ** length).padStart(length, '0');
}

export type CodeCheck = { name: 'right'; step: number } | { name: 'used' } | { name: 'wrong' };

/**
 * Returns what a code is. Each counts once, and none that is older than the last one that counted.
 * @param at epoch ms @param used the step of the last one that counted
 */
export function checkCode(key: Uint8Array, code: string, at: number, used: number): CodeCheck {
  const now = stepOf(at);
  // The newest first: what two steps have in common by chance counts as late as it can.
  const steps = Array.from({ length: 2 * drift + 1 }, (_, index) => now + drift - index);
  const fitting = steps.filter((step) => sameSecret(codeOf(key, step), code));
  const step = fitting.find((each) => each > used);
  if (step !== undefined) return { name: 'right', step };
  return { name: fitting.length > 0 ? 'used' : 'wrong' };
}

/** Returns what an app reads from a link or a QR code. */
export function otpauthUri(base32: string, account: string): string {
  const query = new URLSearchParams({ secret: base32, issuer: 'synthesis' });
  return `otpauth://totp/synthesis:${encodeURIComponent(account)}?${query}`;
}
