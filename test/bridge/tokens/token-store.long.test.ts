// The tokens of a state folder, as the command line changes them and a running bridge sees them. Real files.
import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { UnsafePathError } from '../../../src/base/files/own-path.ts';
import { silentLog } from '../../../src/base/log.ts';
import { tokens as examination } from '../../../src/bridge/doctor/state/tokens.ts';
import { bridgeToken, renewBridgeToken } from '../../../src/bridge/tokens/bridge-token.ts';
import {
  listTokens,
  makeToken,
  revokeTokens,
  rotateBridgeToken,
  rotateToken,
  TokensUnreadableError,
  UnknownTokenError,
} from '../../../src/bridge/tokens/manage-tokens.ts';
import { TokenBook } from '../../../src/bridge/tokens/token-book.ts';
import { TokenStore } from '../../../src/bridge/tokens/token-store.ts';
import { tokenScopes } from '../../../src/protocol/tokens.ts';
import { linkToFile } from '../../support/planted.ts';
import { tokenRecord } from '../../support/token-record.ts';

const day = 86_400_000;
const start = Date.UTC(2026, 1, 3, 10, 30);

let stateDir: string;
let now: number;
let store: TokenStore;
beforeEach(() => {
  stateDir = mkdtempSync(join(tmpdir(), 'tokens-'));
  now = start;
  bridgeToken(stateDir);
  store = opened();
});
afterEach(() => rmSync(stateDir, { recursive: true }));

const opened = () => new TokenStore({ stateDir, clock: { wall: () => now }, log: silentLog });
const file = (name: string) => join(stateDir, name);
const own = () => readFileSync(file('token'), 'utf8').trim();

test('a token that is made holds at once, one that is revoked does not any more, and no bridge is started anew', () => {
  expect(store.holds(own(), 'chat')).toMatchObject({ id: 'bridge' });
  const { secret, view } = makeToken(stateDir, { scopes: ['chat'], name: 'codex', session: 'team:*' }, now);
  const grant = { id: view.id, name: 'codex', scopes: ['chat'], session: 'team:*' };
  expect(store.look(secret)).toEqual({ kind: 'holds', grant });
  expect(store.holds(secret, 'operate')).toBeUndefined();
  expect(revokeTokens(stateDir, ['codex'], now)).toMatchObject([{ id: view.id }]);
  expect([store.look(secret), store.look('guess'), store.look(undefined)]).toEqual([
    { kind: 'unknown' },
    { kind: 'unknown' },
    { kind: 'missing' },
  ]);
});

test('a secret is in no file, and every file is the user’s alone', () => {
  const { secret } = makeToken(stateDir, { scopes: ['chat'] }, now);
  store.look(secret);
  const files = readdirSync(stateDir).filter((name) => name.startsWith('token'));
  expect(files.sort()).toEqual(['token', 'tokens.json', 'tokens.lock', 'tokens.used.json']);
  const random = secret.split('_').slice(2).join('_');
  expect(random).toHaveLength(43);
  for (const name of files) {
    expect([name, (statSync(file(name)).mode & 0o777).toString(8)]).toEqual([name, '600']);
    expect([name, readFileSync(file(name), 'utf8').includes(random)]).toEqual([name, false]);
  }
});

test('one that expires is known as expired from that moment on, and is dropped a month later', () => {
  const { secret, view } = makeToken(stateDir, { scopes: ['models'], lifetimeMs: day }, now);
  now += day - 1;
  expect(store.holds(secret, 'models')).toMatchObject({ id: view.id });
  now += 1;
  expect(store.look(secret)).toMatchObject({ kind: 'expired', at: start + day });
  expect(store.holds(secret, 'models')).toBeUndefined();
  makeToken(stateDir, { scopes: ['models'] }, now + 29 * day);
  expect(store.look(secret)).toMatchObject({ kind: 'expired' });
  makeToken(stateDir, { scopes: ['models'] }, now + 31 * day);
  expect(store.look(secret)).toEqual({ kind: 'unknown' });
});

test('rotation gives a new secret to the same token, and refuses the old one at once', () => {
  const before = own();
  expect(rotateBridgeToken(stateDir)).toBe(file('token'));
  expect([store.look(before).kind, store.look(own()).kind]).toEqual(['unknown', 'holds']);
  const wanted = { scopes: ['chat', 'operate'] as const, name: 'ci', lifetimeMs: day };
  const first = makeToken(stateDir, wanted, now);
  now += 2 * day;
  expect(store.look(first.secret).kind).toBe('expired');
  const second = rotateToken(stateDir, 'ci', now);
  expect(second.view).toMatchObject({ id: first.view.id, expires: new Date(now + day).toISOString() });
  expect(store.look(first.secret)).toEqual({ kind: 'unknown' });
  expect(store.look(second.secret)).toMatchObject({ kind: 'holds', grant: { scopes: ['chat', 'operate'] } });
});

test('the bridge’s own token may not decide, and is refused while its file is not there', () => {
  const token = own();
  expect(store.holds(token, 'metrics')).toMatchObject({ id: 'bridge' });
  expect(store.holds(token, 'operate')).toBeUndefined();
  rmSync(file('token'));
  expect(store.look(token)).toEqual({ kind: 'unknown' });
  renewBridgeToken(stateDir);
  expect(store.look(own()).kind).toBe('holds');
});

const never = JSON.stringify({ tokens: [tokenRecord('x', { expires: 1e20 })] });

test.each([
  ['is no JSON', (path: string) => writeFileSync(path, '{"tokens":[')],
  ['has a time that is none', (path: string) => writeFileSync(path, never)],
  ['has a token without a digest', (path: string) => writeFileSync(path, '{"tokens":[{"id":"a"}]}')],
])(
  'a tokens.json that %s opens nothing and is not written over; the bridge’s own token holds',
  (_, damage) => {
    const { secret } = makeToken(stateDir, { scopes: ['chat'] }, now);
    expect(store.look(secret).kind).toBe('holds');
    const good = readFileSync(file('tokens.json'), 'utf8');
    damage(file('tokens.json'));
    expect([store.look(secret).kind, store.look(own()).kind]).toEqual(['unknown', 'holds']);
    const damaged = readFileSync(file('tokens.json'), 'utf8');
    expect(() => makeToken(stateDir, { scopes: ['chat'] }, now)).toThrow(TokensUnreadableError);
    expect(() => revokeTokens(stateDir, ['x'], now)).toThrow(TokensUnreadableError);
    expect(readFileSync(file('tokens.json'), 'utf8')).toBe(damaged);
    writeFileSync(file('tokens.json'), good);
    expect(store.look(secret).kind).toBe('holds');
  },
);

test('a link in the place of a file opens nothing in a running bridge, and no bridge starts over it', () => {
  for (const name of ['tokens.json', 'token']) {
    const { secret } = makeToken(stateDir, { scopes: ['chat'] }, now);
    const [shown, path] = [name === 'token' ? own() : secret, file(name)];
    expect(store.look(shown).kind).toBe('holds');
    const content = readFileSync(path);
    rmSync(path);
    const untouched = linkToFile(path);
    expect([name, store.look(shown).kind]).toEqual([name, 'unknown']);
    expect(opened).toThrow(UnsafePathError);
    expect(untouched()).toBe(true);
    rmSync(path);
    writeFileSync(path, content, { mode: 0o600 });
  }
});

test('what a later release adds stays in the file, and a scope that is not known opens nothing', () => {
  const later = { ...tokenRecord('later', { scopes: ['chat', 'teleport'] }), place: 'moon' };
  writeFileSync(file('tokens.json'), JSON.stringify({ tokens: [later], epoch: 2 }));
  expect(store.look('later')).toMatchObject({ kind: 'holds', grant: { scopes: ['chat'] } });
  makeToken(stateDir, { scopes: ['chat'] }, now);
  const kept = JSON.parse(readFileSync(file('tokens.json'), 'utf8')) as { tokens: object[] };
  expect(kept).toMatchObject({ epoch: 2, tokens: [later, { scopes: ['chat'] }] });
});

test('when a token was used is kept by the hour, with one write for each', () => {
  const { secret, view } = makeToken(stateDir, { scopes: ['chat'] }, now);
  const used = () => listTokens(stateDir, now).find(({ id }) => id === view.id)?.last_used;
  expect(used()).toBeNull();
  store.look(secret);
  expect(used()).toBe('2026-02-03T10:00:00.000Z');
  const { ino } = statSync(file('tokens.used.json'));
  now += 29 * 60_000;
  store.look(secret);
  expect(statSync(file('tokens.used.json')).ino).toBe(ino);
  now += 60_000;
  store.look(secret);
  expect(used()).toBe('2026-02-03T11:00:00.000Z');
  expect(opened().look(secret).kind).toBe('holds');
});

test('an unknown token, and a name that two have, revoke nothing, also not what is named beside them', () => {
  const { view } = makeToken(stateDir, { scopes: ['chat'], name: 'ci' }, now);
  makeToken(stateDir, { scopes: ['chat'], name: 'ci' }, now);
  for (const wanted of ['ci', 'c', ''])
    expect(() => revokeTokens(stateDir, [view.id, wanted], now)).toThrow(UnknownTokenError);
  expect(listTokens(stateDir, now)).toHaveLength(3);
  revokeTokens(stateDir, [view.id], now);
  expect(revokeTokens(stateDir, ['ci'], now)).toHaveLength(1);
});

test('of tokens that two processes make at once none is lost', async () => {
  const source = resolve(import.meta.dirname, '../../../src/bridge/tokens/manage-tokens.ts');
  const make = `const { makeToken } = await import(${JSON.stringify(source)});
    for (let i = 0; i < 25; i += 1) console.log(makeToken(${JSON.stringify(stateDir)}, { scopes: ['chat'] }, Date.now()).secret);`;
  const run = () => promisify(execFile)(process.execPath, ['--input-type=module', '-e', make]);
  const done = await Promise.all([run(), run()]);
  const secrets = done.flatMap(({ stdout }) => stdout.trim().split('\n'));
  expect(secrets).toHaveLength(50);
  expect(secrets.filter((secret) => store.look(secret).kind !== 'holds')).toEqual([]);
});

test('no combination of scopes and tokens opens what the shown one does not name', () => {
  const record = fc.record({
    secret: fc.string(),
    scopes: fc.subarray([...tokenScopes, 'teleport']),
    expires: fc.option(fc.integer({ min: 0, max: 20 }), { nil: undefined }),
  });
  const many = fc.uniqueArray(record, { selector: ({ secret }) => secret });
  fc.assert(
    fc.property(many, fc.integer({ min: 0, max: 20 }), fc.string(), (made, at, guess) => {
      const book = new TokenBook(
        'own',
        made.map(({ secret, scopes, expires }) => tokenRecord(secret, { scopes, expires })),
      );
      for (const { secret, scopes, expires } of made) {
        const shown = book.look(secret, at);
        const opens = shown.kind === 'holds' ? shown.grant.scopes : [];
        if (secret === 'own') continue;
        const isOver = expires !== undefined && expires <= at;
        expect([secret, opens]).toEqual([secret, isOver ? [] : scopes.filter((each) => each !== 'teleport')]);
      }
      const isMade = guess === 'own' || made.some(({ secret }) => secret === guess);
      expect(book.look(guess, at).kind === 'unknown').toBe(!isMade);
    }),
  );
});

test('doctor counts what holds and names what has expired, and a damaged file is a warning', async () => {
  const look = async () => {
    const [check] = await examination({ stateDir } as never, new AbortController().signal);
    return check && [check.status, check.message];
  };
  expect(await look()).toBeUndefined();
  makeToken(stateDir, { scopes: ['chat'] }, Date.now());
  expect(await look()).toEqual(['ok', "1 token holds besides the bridge's own."]);
  const { view } = makeToken(stateDir, { scopes: ['chat'], lifetimeMs: 1 }, Date.now() - 1);
  expect(await look()).toEqual([
    'ok',
    `1 token holds besides the bridge's own; ${view.id} has expired, and \`synthesis token revoke\` takes that away.`,
  ]);
  writeFileSync(file('tokens.json'), 'x');
  expect(await look()).toEqual(['warning', `${file('tokens.json')} is damaged: no token in it holds.`]);
});
