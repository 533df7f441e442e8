import { hash, timingSafeEqual } from 'node:crypto';

/** The token of `Authorization: Bearer <token>`; the one place where any door of the bridge looks for it. */
export const bearerOf = (authorization: string | undefined): string | undefined =>
  /^Bearer (.+)$/i.exec(authorization ?? '')?.[1];

/**
 * Compares secrets in constant time, whatever their lengths: what is compared are digests. A missing one never equals,
 * and takes the same path.
 */
export function sameSecret(expected: string, given: string | undefined): boolean {
  return placeOfSecret([sha256(expected)], given) === 0;
}

/**
 * Finds the digest of the secret that is given. Each digest is compared, whichever fits, so the time depends on their
 * number alone. A missing secret fits none, and takes the same path.
 * @param digests SHA-256, 32 bytes each
 * @returns the place of the last one that fits; -1 for none
 */
export function placeOfSecret(digests: readonly Buffer[], given: string | undefined): number {
  const shown = sha256(given ?? '');
  let place = -1;
  for (const [at, digest] of digests.entries()) if (timingSafeEqual(digest, shown)) place = at;
  return given === undefined ? -1 : place;
}

export const sha256 = (text: string): Buffer => hash('sha256', text, 'buffer');
