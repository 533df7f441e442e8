import { z } from 'zod';
import { late } from '../../base/late.ts';
import type { ControlMethod, ControlMethods } from '../../domain/views/control.ts';
import { Provider } from '../../protocol/settings/provider.ts';
import { VaultChoice } from '../../protocol/settings/vault.ts';

const callId = z.union([z.number(), z.string().max(128)]);

/** Parameters of every method, checked at the door. */
export const controlParams = late(() => {
  const none = z.object({}).default({});
  const session = z.string().min(1).max(4096);
  const seq = z.number().int().nonnegative();
  /** A terminal side; the upper end is far beyond any screen and keeps a grid in memory small. */
  const side = z.number().int().min(1).max(1000);
  const door = z.enum(['cli', 'tui']).optional();
  const label = z.string().max(200);

  /** Milliseconds; more is no timer of Node. */
  const patience = z
    .number()
    .int()
    .nonnegative()
    .max(2 ** 31 - 1)
    .optional();

  return {
    'bridge.status': none,
    'bridge.metrics': none,
    'bridge.stop': z
      .object({ keep: z.boolean().optional(), why: z.enum(['down', 'replace']).optional() })
      .default({}),
    'bridge.panic': z.object({ reason: z.string().max(500).optional(), door }).default({}),
    'bridge.resume': z.object({ door }).default({}),
    'caller.prove': z.object({ token: z.string().min(1).max(512) }),
    'session.list': none,
    'session.snapshot': none,
    'session.costs': z.object({ sessions: z.array(session).max(1000).default([]) }).default({ sessions: [] }),
    'session.inspect': z.object({ session }),
    'session.send': z.object({
      session,
      text: z.string().min(1),
      create: z.boolean().default(false),
      follow: z.boolean().default(true),
    }),
    'session.interrupt': z.object({ session }),
    'session.stop': z.object({ session }),
    'session.restart': z.object({ session }),
    'session.remove': z.object({ session, keep: z.boolean().optional() }),
    'session.rename': z.object({ session, label: z.string().max(4096).nullable() }),
    'session.wait': z.object({
      session,
      timeout_ms: patience,
    }),
    'permission.list': none,
    'permission.show': z.object({ code: z.string().min(1).max(64) }),
    'permission.decide': z.object({
      code: z.string().min(1).max(64),
      verdict: z.enum(['allow', 'deny']),
      reason: z.string().max(2000).optional(),
      scope: z.enum(['once', 'session']).optional(),
      answer: z.string().min(1).max(20_000).optional(),
      shown: z.string().max(64).optional(),
      door,
    }),
    'events.subscribe': z.object({
      from: seq.optional(),
      since: z.number().nonnegative().optional(),
      last: z.number().int().nonnegative().max(1_000_000_000).optional(),
      session: session.optional(),
      types: z.array(z.string().min(1).max(64)).min(1).max(64).optional(),
      follow: z.boolean().optional(),
      slow: z.enum(['reread', 'skip']).optional(),
    }),
    'terminal.attach': z.object({
      session,
      cols: side,
      rows: side,
      drive: z.boolean().default(false),
      who: label.optional(),
    }),
    'terminal.input': z.object({ call: callId, data: z.string().max(1024 * 1024) }),
    'terminal.resize': z.object({ call: callId, cols: side, rows: side }),
    'terminal.drive': z.object({ call: callId, drive: z.boolean() }),
    'audit.verify': z.object({ anchors: z.array(z.string().max(512)).max(1000).default([]) }),
    'audit.anchor': none,
    'journal.stats': none,
    'prune.look': none,
    'prune.delete': z.object({
      items: z
        .array(
          z.object({ kind: z.enum(['session', 'segment', 'damaged', 'folder']), name: z.string().max(4096) }),
        )
        .max(100_000),
    }),
    'tools.list': none,
    'tools.inspect': z.object({ provider: z.string().max(64) }),
    'tools.call': z.object({
      provider: z.string().max(64),
      tool: z.string().max(256),
      // Looked into by whoever checks arguments: it may be too deep for a schema.
      args: z.custom<Record<string, unknown>>(
        (args) => typeof args === 'object' && args !== null && !Array.isArray(args),
        'expected an object',
      ),
    }),
    'tools.set': z.object({ providers: z.array(Provider).max(50), vaults: VaultChoice.optional() }),
    'cluster.status': none,
    'cluster.servers': none,
    'cluster.move': z.object({ session, node: z.string().max(64), timeout_ms: patience }),
    'cluster.drain': z.object({ timeout_ms: patience }),
    'cluster.forget': z.object({ node: z.string().max(64) }),
    'cluster.dial': z.object({ node: z.string().max(64) }),
    'call.cancel': z.object({ call: callId }),
  } satisfies { [M in ControlMethod]: z.ZodType<ControlMethods[M]['params']> };
});

export const ControlRequest = z.object({
  jsonrpc: z.literal('2.0'),
  id: callId,
  method: z.string().max(128),
  params: z.unknown().optional(),
  /** Of the operator secret: see `proof_wanted`. */
  proof: z
    .union([
      z.object({ nonce: z.string().max(64), code: z.string().max(32) }),
      z.object({ nonce: z.string().max(64), signature: z.string().max(8_192) }),
    ])
    .optional(),
});
export type ControlRequest = z.infer<typeof ControlRequest>;
