// A decision that takes a proof: a small field for the code, or a line while the key is waited for.
import { expect, test } from 'vitest';
import { type AskedProof, ScreenProofs } from '../../../src/cli/tui/bridge/screen-proofs.ts';
import { until } from '../../support/until.ts';
import { noon, Seat } from './seat.ts';

const key = 'agent:main:telegram:direct:4242';

function allowing(): Seat {
  const seat = new Seat();
  seat.working(key);
  seat.asks(key, 'kmqtr', 'Bash', { command: 'make deploy' });
  seat.press('p', 'a', 'ctrl+y');
  expect(seat.taken()).toMatchObject([{ type: 'call', method: 'permission.decide' }]);
  return seat;
}

test('a code is typed where text is typed, and given with Enter', () => {
  const seat = allowing();
  seat.act({ type: 'proof-asked', proof: { id: 1, kind: 'code' } });
  expect(seat.row('Code from your app')).toMatch(/Enter prove {3}Esc close/);
  seat.press('enter', '1', '2', '3', '4', '5', '6', 'enter');
  expect(seat.taken()).toEqual([{ type: 'proof', id: 1, code: '123456' }]);
  expect(seat.screen).not.toContain('Code from your app');
});

test('a wrong one is asked for again, with why', () => {
  const seat = allowing();
  seat.act({ type: 'proof-asked', proof: { id: 2, kind: 'code', why: 'That code is wrong.' } });
  expect(seat.screen).toContain('Code from your app: That code is wrong.');
});

test('Esc gives it up', () => {
  const seat = allowing();
  seat.act({ type: 'proof-asked', proof: { id: 3, kind: 'code' } });
  seat.press('1', 'esc');
  expect(seat.taken()).toEqual([{ type: 'proof', id: 3 }]);
});

test('a key is waited for: keys of letters do nothing, Esc gives it up, and the time is shown', () => {
  const seat = allowing();
  seat.act({ type: 'proof-asked', proof: { id: 4, kind: 'key', isTouch: true, until: noon + 90_000 } });
  expect(seat.row('Touch your key…')).toContain('1m');
  seat.press('a', 'q', 'enter', 'ctrl+y');
  seat.act({ type: 'paste', text: 'pasted' });
  expect(seat.taken()).toEqual([]);
  expect(seat.screen).not.toContain('pasted');
  seat.press('esc');
  expect(seat.taken()).toEqual([{ type: 'proof', id: 4 }]);
});

test('it goes when it was touched, and what is asked for next stays', () => {
  const seat = allowing();
  seat.act({ type: 'proof-asked', proof: { id: 5, kind: 'key', isTouch: false, until: noon + 90_000 } });
  expect(seat.screen).toContain('Signing with your SSH key…');
  seat.act({ type: 'proof-done', id: 4 });
  expect(seat.screen).toContain('Signing with your SSH key…');
  seat.act({ type: 'proof-done', id: 5 });
  expect(seat.screen).not.toContain('Signing');
});

test('a message that was being written is kept', () => {
  const seat = new Seat();
  seat.working(key);
  seat.press('m', 'type:half a message');
  seat.act({ type: 'proof-asked', proof: { id: 6, kind: 'code' } });
  seat.act({ type: 'proof-done', id: 6 });
  seat.press('m');
  expect(seat.screen).toContain('half a message');
});

const wanted = {
  method: 'bridge.resume',
  params: {},
  why: undefined,
  attempt: 1,
  challenge: { kind: 'totp', nonce: 'n' },
} as const;
const withKey = {
  ...wanted,
  challenge: { kind: 'ssh-key', nonce: 'n', keys: ['sk-ssh-ed25519@openssh.com AAAA'] },
} as const;

function proofs(
  sign = async (text: string, _keys: readonly string[], _signal: AbortSignal) => `over ${text}`,
) {
  const asked: AskedProof[] = [];
  const done: number[] = [];
  const screen = new ScreenProofs({ sign });
  screen.screen = { ask: (proof) => asked.push(proof), done: (id) => done.push(id) };
  return { screen, asked, done };
}

test('two decisions are asked about one after the other', async () => {
  const { screen, asked, done } = proofs();
  const both = [screen.prove(wanted), screen.prove(wanted)];
  await until('the first', () => asked.length === 1);
  screen.answer(1, '111111');
  await until('the second', () => asked.length === 2);
  screen.answer(1, '000000');
  screen.answer(2, '222222');
  expect(await Promise.all(both)).toEqual([
    { nonce: 'n', code: '111111' },
    { nonce: 'n', code: '222222' },
  ]);
  expect(done).toEqual([1, 2]);
});

test('a signature is given without a key of the screen', async () => {
  const { screen, asked, done } = proofs();
  expect(await screen.prove(withKey)).toMatchObject({ signature: expect.stringContaining('challenge n') });
  expect(asked).toMatchObject([{ kind: 'key', isTouch: true }]);
  expect(done).toEqual([1]);
});

test.each(['Esc', 'the end of the screen'] as const)('%s ends the wait for a touch', async (how) => {
  const signals: AbortSignal[] = [];
  const { screen, asked, done } = proofs((_text, _keys, signal) => {
    signals.push(signal);
    return Promise.withResolvers<string>().promise;
  });
  const proving = screen.prove(withKey);
  await until('the question', () => asked.length === 1);
  if (how === 'Esc') screen.answer(1, undefined);
  else screen.close();
  await expect(proving).rejects.toThrow('No proof was given');
  expect([signals.map(({ aborted }) => aborted), done]).toEqual([[true], [1]]);
});
