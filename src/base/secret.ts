import { hash, timingSafeEqual } from 'node:crypto';

/** The token of `Authorization: Bearer <token>`; the one place where any door of the bridge looks for it. */
export const bearerOf = (authorization: string | undefined): string | undefined =>
  /^Bearer (.+)$/i.exec(authorization ?? '')?.[1];

/**
 * Compares secrets in constant time, whatever their lengths: what is compared are digests. A missing one never equals,
 * and takes the same path.
 */
export function sameSecret(expected: string, given: string | undefined): boolean {
  const equal = timingSafeEqual(sha256(expected), sha256(given ?? ''));
  return equal && given !== undefined;
}

export const sha256 = (text: string): Buffer => hash('sha256', text, 'buffer');
