// Several bridges that are one: what the configuration says of them.
import { z } from 'zod';
import { whole } from '../whole.ts';

/** Also part of subjects and of a bucket's name. */
const name = z
  .string()
  .regex(/^[a-z0-9][a-z0-9-]{0,31}$/, 'expected 1 to 32 small letters, digits and hyphens, e.g. "laptop"');

/** What a machine is called by the others, and by people. */
export const NodeName = name;

/** A lease is no shorter. */
export const leastLeaseSeconds = 3;

const absolutePath = z.string().regex(/^(?:\/|[A-Za-z]:[\\/])/, 'expected an absolute path');

const isServer = (text: string): boolean => {
  const url = URL.parse(text);
  return (
    url !== null &&
    /^(?:nats|tls):$/.test(url.protocol) &&
    url.hostname !== '' &&
    `${url.username}${url.password}` === ''
  );
};

export const ClusterSettings = z.lazy(() =>
  z
    .strictObject({
      name: name
        .default('synthesis')
        .describe('Nodes with the same name on the same servers belong together.'),
      node: NodeName.describe('What this machine is called. No two may have the same name.'),
      servers: z
        .array(
          z
            .string()
            .refine(isServer, 'expected nats://host:port or tls://host:port, without user and password'),
        )
        .min(1)
        .max(16)
        .describe('nats-servers with JetStream. Beyond this machine TLS is required.'),
      token: z.string().min(1).max(8_192).optional(),
      tokenFile: absolutePath.optional(),
      credsFile: absolutePath.optional().describe('User and key, as `nsc` writes them.'),
      caFile: absolutePath.optional().describe('Who signed the certificates of the servers.'),
      certFile: absolutePath.optional(),
      keyFile: absolutePath.optional(),
      replicas: z
        .union([z.literal(1), z.literal(3), z.literal(5)])
        .optional()
        .describe(
          'On how many servers what the nodes know of each other lies. Default: 3 where three are named, else 1.',
        ),
      takeover: z
        .boolean()
        .default(false)
        .describe(
          'Keeps all of each conversation on the servers, too, so that another node goes on with it.',
        ),
      leaseSeconds: whole(leastLeaseSeconds, 300)
        .default(30)
        .describe('After how long without a sign of life a node has lost its conversations.'),
      storeMb: whole(1, 1_048_576)
        .default(1_024)
        .describe('How much the servers keep of all conversations together, on each of them.'),
    })
    .refine(
      ({ token, tokenFile, credsFile }) =>
        [token, tokenFile, credsFile].filter((each) => each !== undefined).length <= 1,
      {
        error: 'expected one of token, tokenFile and credsFile, or none',
      },
    )
    .refine(({ certFile, keyFile }) => (certFile === undefined) === (keyFile === undefined), {
      error: 'certFile and keyFile belong together',
    })
    .describe('Other machines whose conversations and operators are shared, by way of NATS.'),
);
export type ClusterSettings = z.infer<typeof ClusterSettings>;

/** Hex digits of the SHA-256 of a conversation's key that name it. */
export const KEY_DIGEST_LENGTH = 32;

/** Header of a node that was asked for a conversation which does not live there. */
export const NOT_HERE_HEADER = 'x-synthesis-not-here';

/** Header between nodes: the conversations that a request's token is for, percent-encoded. Taken from no client. */
export const TOKEN_SESSION_HEADER = 'x-synthesis-token-session';
