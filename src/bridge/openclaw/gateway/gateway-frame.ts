// The frames of OpenClaw's gateway protocol 4, as far as they are used here (measured on 2026.9.6). Unknown fields are
// left alone: the gateway grows faster than we read.
import { z } from 'zod';

const Failure = z.lazy(() =>
  z.object({
    code: z.string().optional(),
    message: z.string(),
    retryable: z.boolean().optional(),
  }),
);

export const GatewayFrame = z.lazy(() =>
  z.discriminatedUnion('type', [
    z.object({
      type: z.literal('res'),
      id: z.string(),
      ok: z.boolean(),
      payload: z.unknown().optional(),
      error: Failure.optional(),
    }),
    z.object({ type: z.literal('event'), event: z.string(), payload: z.unknown().optional() }),
  ]),
);
export type GatewayFrame = z.infer<typeof GatewayFrame>;

/** @returns undefined for what is no frame of the gateway's */
export function readFrame(text: string): GatewayFrame | undefined {
  try {
    return GatewayFrame.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}

/** A client that runs on the gateway's own machine with its token needs no device pairing. */
export const connectParams = (token: string, version: string): object => ({
  minProtocol: 3,
  maxProtocol: 9,
  // The display name stands on a card that was answered through another door.
  client: {
    id: 'gateway-client',
    displayName: 'synthesis',
    version,
    platform: process.platform,
    mode: 'backend',
  },
  role: 'operator',
  // The token stands for the owner whatever is asked for; less than this refuses approvals.
  scopes: ['operator.admin', 'operator.approvals', 'operator.read', 'operator.write'],
  auth: { token },
});

/** Answer to the first phase of an approval; without a route it is over at once and has no status. */
export const ApprovalAccepted = z.object({ id: z.string(), status: z.string().optional() });

/** Null: nobody answered in time, or it was taken back. */
export const ApprovalDecision = z.object({ decision: z.string().nullish() });

/** Approvals that are still open; each as far as we recognise our own by it. */
export const ApprovalList = z.lazy(() =>
  z.array(
    z.object({
      id: z.string(),
      request: z.object({ pluginId: z.string().nullish(), toolCallId: z.string().nullish() }),
    }),
  ),
);
