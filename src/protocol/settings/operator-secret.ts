// What a person proves a decision with (decision 0059).
import { z } from 'zod';
import { absolutePath } from './absolute-path.ts';

/** A line as `ssh-keygen` writes it into a `.pub` file. Whether the key in it is one, only a look inside tells. */
const PublicKeyLine = z
  .string()
  .max(2_000)
  .regex(
    /^(?:sk-)?(?:ssh-ed25519|ecdsa-sha2-nistp256)(?:@openssh\.com)? [A-Za-z0-9+/]+={0,2}(?: [^\r\n]*)?$/,
    'expected a public key in the form of OpenSSH: ed25519 or ecdsa with P-256, of a touch key or not',
  );

export const OperatorSecret = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('ssh-key'),
    keys: z
      .array(PublicKeyLine)
      .min(1)
      .max(20)
      .describe('Public keys, as in a `.pub` file. Each of them decides alone.'),
  }),
  z.strictObject({
    kind: z.literal('totp'),
    file: absolutePath.describe('File of yours that holds the key of the app, in base32.'),
  }),
]);
export type OperatorSecret = z.infer<typeof OperatorSecret>;
