// A token for some conversations, where the conversation lives on another node: judged before anything is sent there, and
// once more by the node that answers.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { expect, test } from 'vitest';
import { silentLog } from '../../../src/base/log.ts';
import { Whereabouts } from '../../../src/bridge/cluster/whereabouts.ts';
import { checkToken } from '../../../src/bridge/ingress/openai/token-check.ts';
import { TokenBook } from '../../../src/bridge/tokens/token-book.ts';

/** Every conversation lives on mac, which cannot be reached; `asked` says what was looked for. */
function nowhere(digests: Record<string, string> = {}) {
  const asked: string[] = [];
  const whereabouts = new Whereabouts({
    has: () => false,
    homes: {
      of: async (key) => {
        asked.push(key);
        return { kind: 'there', node: 'mac' } as const;
      },
      keyOf: async (digest) => digests[digest],
      claim: async () => ({ kind: 'here' }) as const,
      settle: async () => ({ kind: 'here' }) as const,
      forget: () => {},
    },
    settled: async () => true,
    isTakenOver: () => false,
    members: { isTaken: false, reason: undefined },
    ready: async () => {},
    dial: async () => {
      throw new Error('cut');
    },
    log: silentLog,
  });
  return { whereabouts, asked };
}

const exchange = { request: {} as IncomingMessage, response: {} as ServerResponse };
const about = { body: '', relayed: false };

test.each([
  ['team', 'other'],
  ['team:*', 'team'],
])('a token for %s has nothing of %s looked for or sent', async (limit, key) => {
  const { whereabouts, asked } = nowhere();
  expect(await whereabouts.send(exchange, { ...about, key, limit })).toEqual({ kind: 'outside' });
  expect(asked).toEqual([]);
});

test('an id of a response leads to its conversation first, and then the limit is asked', async () => {
  const { whereabouts, asked } = nowhere({ d1: 'other', d2: 'team' });
  const follow = (digest: string, key?: string) =>
    whereabouts.follow(exchange, { ...about, digest, ...(key !== undefined && { key }), limit: 'team' });
  expect(await follow('d1')).toEqual({ kind: 'outside' });
  expect(await follow('d3', 'other')).toEqual({ kind: 'outside' });
  expect(asked).toEqual([]);
  expect(await follow('d2')).toMatchObject({ kind: 'words' });
  expect(asked[0]).toBe('team');
});

test('the node that answers holds to the limit that it is told, and to no token', () => {
  const options = { tokens: { look: () => new TokenBook('own', []).look('guess', 0) }, proved: () => {} };
  const check = (isNode: boolean, header?: string) =>
    checkToken(
      { ...options, isAdopted: () => isNode },
      {
        headers: header === undefined ? {} : { 'x-synthesis-token-session': header },
        socket: {} as IncomingMessage['socket'],
      },
      'chat',
    );
  expect(check(true)).toEqual({ ok: true, limit: undefined });
  expect(check(true, 'team%2F*')).toEqual({ ok: true, limit: 'team/*' });
  expect(check(true, '%E0%A4%A')).toMatchObject({ ok: false, fault: { status: 400 } });
  expect(check(false, '*')).toMatchObject({ ok: false, fault: { status: 401 } });
});
