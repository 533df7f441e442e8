import { z } from 'zod';
import type { ControlMethod, ControlMethods } from '../../domain/views/control.ts';

const none = z.object({}).default({});
const session = z.string().min(1).max(4096);

/** Parameters of every method, checked at the door. */
export const controlParams = {
  'bridge.status': none,
  'bridge.stop': none,
  'session.list': none,
  'session.inspect': z.object({ session }),
  'session.send': z.object({
    session,
    text: z.string().min(1),
    create: z.boolean().default(false),
    follow: z.boolean().default(true),
  }),
  'session.interrupt': z.object({ session }),
  'session.stop': z.object({ session }),
  'session.remove': z.object({ session }),
  'permission.list': none,
  'permission.decide': z.object({
    code: z.string().min(1).max(64),
    verdict: z.enum(['allow', 'deny']),
    reason: z.string().max(2000).optional(),
    scope: z.enum(['once', 'session']).optional(),
  }),
} satisfies { [M in ControlMethod]: z.ZodType<ControlMethods[M]['params']> };

export const ControlRequest = z.object({
  jsonrpc: z.literal('2.0'),
  id: z.union([z.number(), z.string()]),
  method: z.string(),
  params: z.unknown().optional(),
});
export type ControlRequest = z.infer<typeof ControlRequest>;
