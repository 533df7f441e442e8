// What each scope opens at the port, and what a token for some conversations reaches. Real HTTP on loopback.
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { TokenBook } from '../../../src/bridge/tokens/token-book.ts';
import type { TokenRecord } from '../../../src/bridge/tokens/token-record.ts';
import { sessionKey } from '../../../src/protocol/session-key.ts';
import { fitsSession, type TokenScope, tokenScopes } from '../../../src/protocol/tokens.ts';
import { SmallBridge } from '../../support/small-bridge.ts';
import { tokenRecord } from '../../support/token-record.ts';

let bridge: SmallBridge;
beforeEach(async () => {
  bridge = await SmallBridge.start();
});
afterEach(() => bridge[Symbol.asyncDispose]());

const hi = { model: 'claude', messages: [{ role: 'user', content: 'hi' }] };
const secret = 'syn_test_secret';

function hold(about: Partial<TokenRecord>): void {
  bridge.tokens = new TokenBook(bridge.token, [tokenRecord(secret, { id: 'k3x9', name: 'ci', ...about })]);
}

interface Answered {
  status: number;
  code: string | undefined;
  message: string;
  headers: Headers;
  body: Record<string, unknown>;
}

async function ask(method: string, path: string, body?: unknown, headers = {}): Promise<Answered> {
  const response = await fetch(`${bridge.url}${path}`, {
    method,
    headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json', ...headers },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const read = (await response.json()) as { error?: { code: string; message: string } };
  const { code, message = '' } = read.error ?? {};
  return { status: response.status, code, message, headers: response.headers, body: { ...read } };
}

/** Every route, and the scopes of which one opens it. */
const routes: [method: string, path: string, body: unknown, scopes: TokenScope[]][] = [
  ['POST', '/v1/chat/completions', hi, ['chat']],
  ['POST', '/v1/responses', { model: 'claude', input: 'hi' }, ['chat']],
  ['GET', '/v1/responses/resp_x', undefined, ['chat']],
  ['GET', '/v1/responses/resp_x?stream=true', undefined, ['chat']],
  ['GET', '/v1/responses/resp_x/input_items', undefined, ['chat']],
  ['DELETE', '/v1/responses/resp_x', undefined, ['chat']],
  ['POST', '/v1/responses/resp_x/cancel', undefined, ['chat']],
  ['POST', '/v1/warm', undefined, ['chat']],
  ['GET', '/v1/models', undefined, ['models', 'chat']],
  ['GET', '/v1/models/claude', undefined, ['models', 'chat']],
];

test('no combination of scopes opens a route that it does not name, and each opens those that it does', async () => {
  for (const scopes of subsets(tokenScopes)) {
    hold({ scopes });
    for (const [method, path, body, needed] of routes) {
      const { status, code } = await ask(method, path, body);
      const isOpen = ![401, 403].includes(status);
      const opens = needed.some((scope) => scopes.includes(scope));
      expect([scopes, path, isOpen, code === 'insufficient_scope']).toEqual([scopes, path, opens, !opens]);
    }
  }
});

const subsets = <T>(all: readonly T[]): T[][] =>
  Array.from({ length: 2 ** all.length }, (_, bits) => all.filter((_each, at) => bits & (1 << at)));

test('what a scope does not open is refused with the one that is missing, and nothing is started', async () => {
  hold({ scopes: ['models', 'metrics'] });
  const { status, message, headers } = await ask('POST', '/v1/chat/completions', hi);
  expect([status, message]).toEqual([
    403,
    'The token "ci" (k3x9) has the scope models and metrics, and this needs chat. Nothing was started; make one with `synthesis token new --scope chat`.',
  ]);
  expect(headers.get('www-authenticate')).toBe('Bearer error="insufficient_scope", scope="chat"');
  expect(bridge.agent.prompts).toEqual([]);
});

test('one that has expired is told since when, and how to go on', async () => {
  hold({ expires: Date.UTC(2026, 1, 3) });
  expect(await ask('POST', '/v1/chat/completions', hi)).toMatchObject({
    status: 401,
    code: 'token_expired',
    message:
      'The token "ci" (k3x9) expired at 2026-02-03T00:00:00.000Z. Nothing was started; `synthesis token rotate k3x9` gives it a new secret, `synthesis token new` makes another.',
  });
  expect(bridge.agent.prompts).toEqual([]);
});

describe('a token for some conversations', () => {
  const uuid = '0f8fad5b-d9cb-469f-a165-70867728950e';
  const title = 'Generate a concise session title';

  /** A response of a conversation, made with the bridge's own token. */
  async function responseOf(key: string): Promise<{ id: string; item: string }> {
    const headers = { authorization: `Bearer ${bridge.token}`, 'x-synthesis-session': key };
    const { body } = await ask('POST', '/v1/responses', { model: 'claude', input: 'secret' }, headers);
    const { id, output } = body as unknown as { id: string; output: { id: string }[] };
    return { id, item: output[0]?.id ?? '' };
  }

  /** What a request changed. */
  async function changed(work: () => Promise<Answered>): Promise<[Answered, number]> {
    const before = bridge.dispatcher.seq;
    const answered = await work();
    return [answered, bridge.dispatcher.seq - before];
  }

  test('reaches its own by each name, and what it may read there', async () => {
    hold({ session: 'team:*' });
    for (const headers of [{ 'x-synthesis-session': 'team:a' }, { 'x-openclaw-session-key': 'team%3Ab' }]) {
      expect((await ask('POST', '/v1/chat/completions', hi, headers)).status).toBe(200);
      expect((await ask('POST', '/v1/warm', undefined, headers)).status).toBe(202);
    }
    const { id, item } = await responseOf('team:a');
    const next = { model: 'claude', input: 'on', previous_response_id: id };
    expect((await ask('GET', `/v1/responses/${id}`)).status).toBe(200);
    expect((await ask('GET', `/v1/responses/${id}/input_items`)).status).toBe(200);
    expect((await ask('POST', '/v1/responses', next)).status).toBe(200);
    const referring = { model: 'claude', input: [{ type: 'item_reference', id: item }, user('and?')] };
    expect((await ask('POST', '/v1/responses', referring)).status).toBe(200);
    expect((await ask('DELETE', `/v1/responses/${id}`)).status).toBe(200);
    expect((await ask('GET', `/v1/responses/${id}`)).message).toContain('It was deleted.');
    const gone = await ask('POST', '/v1/responses', next);
    expect([gone.status, gone.code]).toEqual([400, 'previous_response_not_found']);
    expect(bridge.dispatcher.sessions().map(({ key }) => key)).toEqual(['team:a', 'team:b']);
  });

  const user = (content: string) => ({ type: 'message', role: 'user', content });
  const runtime = 'Runtime: agent=main | session=agent:main:main | sessionId=s | channel=telegram';

  test.each<[string, object, Record<string, string>]>([
    ['a header', hi, { 'x-synthesis-session': 'other' }],
    ['a header that begins alike', hi, { 'x-synthesis-session': 'teams' }],
    ['the header of a node', hi, { 'x-synthesis-session': 'other', 'x-synthesis-token-session': '*' }],
    ['the header of OpenClaw’s plugin', hi, { 'x-openclaw-session-key': 'agent%3Amain%3Amain' }],
    ['a cache key', { ...hi, prompt_cache_key: 'team:a' }, {}],
    ['an affinity', hi, { 'x-session-affinity': 'team:a' }],
    ['an id of OpenClaw’s', { ...hi, prompt_cache_key: `${uuid}:0` }, {}],
    ['a user', { ...hi, user: 'team:a' }, {}],
    ['nothing', hi, {}],
    [
      'OpenClaw’s prompt',
      { ...hi, messages: [{ role: 'system', content: `## Runtime\n${runtime}` }, ...hi.messages] },
      {},
    ],
    ['what belongs to none', hi, { 'x-openclaw-provider': 'synthesis' }],
  ])('does not reach another one, named by %s', async (_, body, headers) => {
    hold({ session: 'team:*' });
    const [{ status, code, message }, rows] = await changed(() =>
      ask('POST', '/v1/chat/completions', body, headers),
    );
    expect([status, code, rows]).toEqual([403, 'session_not_allowed', 0]);
    expect(message).toBe(
      'The token is only for conversations whose key begins with "team:". This request is of another one, or of none. Nothing was started; name the conversation with the header x-synthesis-session, or use another token.',
    );
    expect([bridge.agent.prompts, bridge.dispatcher.sessions()]).toEqual([[], []]);
  });

  test('does not reach another one by a response or an item of it, also not for words of the bridge', async () => {
    const { id, item } = await responseOf('other');
    hold({ session: 'team' });
    const next = { model: 'claude', previous_response_id: id };
    const summary = 'You are a context summarization assistant.';
    const bodies = [
      { ...next, input: 'on' },
      { ...next, input: 'on', instructions: title },
      { ...next, input: 'on', instructions: summary },
      { model: 'claude', input: [{ type: 'item_reference', id: item }, user('and?')] },
    ];
    for (const body of bodies) {
      const [{ status, code }, rows] = await changed(() => ask('POST', '/v1/responses', body));
      expect([body, status, code, rows]).toEqual([body, 403, 'session_not_allowed', 0]);
    }
    const warm = await ask('POST', '/v1/warm', undefined, { 'x-synthesis-session': 'other' });
    expect([warm.status, warm.code]).toEqual([403, 'session_not_allowed']);
  });

  test('hears the same of a response of another one as of an id that nobody gave', async () => {
    const { id } = await responseOf('other');
    hold({ session: 'team' });
    const nobody = `resp_${'0'.repeat(32)}t1`;
    // Of a conversation that is there; only its digest is right.
    const guessed = `${id.slice(0, 5 + 32)}t1`;
    for (const [method, rest] of [
      ['GET', ''],
      ['GET', '/input_items'],
      ['DELETE', ''],
      ['POST', '/cancel'],
    ] as const) {
      for (const each of [id, guessed, nobody]) {
        const [{ status, message }, rows] = await changed(() => ask(method, `/v1/responses/${each}${rest}`));
        expect([status, rows]).toEqual([404, 0]);
        expect(message).toBe(
          `Response with id "${each}" not found. The token is only for the conversation "team". No response of it has this id.`,
        );
      }
    }
    const own = { authorization: `Bearer ${bridge.token}` };
    expect((await ask('GET', `/v1/responses/${id}`, undefined, own)).status).toBe(200);
  });

  test('has no words stored with a response of another one, also while the machine that it names is away', async () => {
    let isAway = false;
    const send = async () =>
      isAway ? ({ kind: 'words', text: 'It is away.' } as const) : ({ kind: 'here' } as const);
    await bridge[Symbol.asyncDispose]();
    bridge = await SmallBridge.start({ elsewhere: { send } });
    const [other, own] = [await responseOf('other'), await responseOf('team')];
    hold({ session: 'team' });
    isAway = true;
    const named = { 'x-synthesis-session': 'team' };
    const on = (id: string) => ({ model: 'claude', input: 'on', previous_response_id: id });
    const [refused, rows] = await changed(() => ask('POST', '/v1/responses', on(other.id), named));
    expect([refused.status, refused.code, rows]).toEqual([403, 'session_not_allowed', 0]);
    const [told, stored] = await changed(() => ask('POST', '/v1/responses', on(own.id), named));
    expect([told.status, stored > 0]).toEqual([200, true]);
  });

  test('answers no question of another one by its code', async () => {
    hold({ session: 'team' });
    const { agent } = bridge;
    agent.onPrompt = (prompt, { key }) => {
      agent.take(key, prompt.turn);
      const ask = { code: 'abcde', tool: 'Bash', input: { command: 'ls' }, expires_at: 10_000 };
      agent.report(key, { type: 'permission.ask', ...ask });
    };
    const headers = { authorization: `Bearer ${bridge.token}`, 'x-synthesis-session': 'other' };
    await ask('POST', '/v1/chat/completions', hi, headers);
    const asks = () => bridge.dispatcher.session('other')?.asks.map(({ state }) => state.name);
    expect(asks()).toEqual(['asked']);
    agent.onPrompt = () => {};
    const yes = { ...hi, messages: [{ role: 'user', content: 'yes abcde' }] };
    const said = await ask('POST', '/v1/chat/completions', yes, { 'x-synthesis-session': 'team' });
    expect([said.status, asks(), agent.permissions]).toEqual([200, ['asked'], []]);
  });

  test('whatever the key, an exact limit fits itself alone, and a star at the end what begins so', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (limit, key) => {
        const exact = limit.replace(/\*+$/, '');
        expect(fitsSession(exact, key)).toBe(exact === key);
        expect(fitsSession(`${exact}*`, key)).toBe(key.startsWith(exact));
        expect(fitsSession(`${exact}*`, `${exact}${key}`)).toBe(true);
      }),
    );
    expect(fitsSession('a*c', 'abc')).toBe(false);
    expect(fitsSession(sessionKey('k'.repeat(300)), sessionKey('k'.repeat(300)))).toBe(true);
  });
});
