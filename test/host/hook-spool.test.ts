import fc from 'fast-check';
import { expect, test } from 'vitest';
import { HookSpool } from '../../src/host/hooks/hook-spool.ts';
import type { HookKind, HookState } from '../../src/protocol/wire/host.ts';

const number = fc.integer({ min: 1, max: 12 });
const act = fc.oneof(
  { weight: 4, arbitrary: fc.record({ add: fc.constantFrom<HookKind>('tell', 'ask', 'hold') }) },
  { weight: 2, arbitrary: fc.constant({ attach: true as const }) },
  { weight: 1, arbitrary: fc.constant({ detach: true as const }) },
  { weight: 2, arbitrary: fc.record({ answer: number }) },
  { weight: 2, arbitrary: fc.record({ written: number }) },
  { weight: 1, arbitrary: fc.record({ gone: number }) },
  { weight: 2, arbitrary: fc.record({ ack: fc.nat({ max: 15 }) }) },
  { weight: 2, arbitrary: fc.record({ done: number }) },
);

/** What anybody could write down of a hook. */
interface Known {
  n: number;
  kind: HookKind;
  state: HookState;
  done: boolean;
  responses: string[];
}

test('whatever is said in whatever order: no hook is lost, none comes twice, and all come in order', () => {
  fc.assert(
    fc.property(fc.array(act, { maxLength: 60 }), (acts) => {
      const spool = new HookSpool();
      const known: Known[] = [];
      const responses: string[][] = [];
      let acked = 0;
      let isAttached = false;
      let told: unknown[] = [];
      const find = (n: number) => known.find((hook) => hook.n === n);
      const isKept = ({ n, kind, state, done }: Known) =>
        n > acked || state === 'open' || (kind !== 'tell' && !done);
      const frameOf = ({ n, kind, state }: Known) => ({ type: 'hook', n, event: 'E', kind, state });
      const close = (hook: Known | undefined, state: Exclude<HookState, 'open'>) => {
        if (hook?.state !== 'open') return [];
        hook.state = state;
        return isAttached ? [{ type: 'closed', hook: hook.n, state }] : [];
      };
      for (const each of acts) {
        told = [];
        let expected: unknown[] = [];
        if ('add' in each) {
          const kind = each.add;
          const state = kind === 'hold' || (kind === 'ask' && isAttached) ? 'open' : 'alone';
          const got: string[] = [];
          responses.push(got);
          const hook: Known = { n: known.length + 1, kind, state, done: false, responses: [] };
          if (state === 'alone') hook.responses.push('{}');
          known.push(hook);
          const respond = (body: Buffer) => void got.push(body.toString());
          expect(spool.add({ event: 'E', kind, body: Buffer.from('b'), respond })).toBe(hook.n);
          expected = isAttached ? [frameOf(hook)] : [];
        } else if ('attach' in each) {
          spool.detach();
          detachKnown();
          spool.attach((frame) => told.push(frame));
          isAttached = true;
          expected = known.filter(isKept).map(frameOf);
        } else if ('detach' in each) {
          spool.detach();
          detachKnown();
        } else if ('answer' in each) {
          spool.answer(each.answer, Buffer.from('yes'));
          const hook = find(each.answer);
          if (hook?.state === 'open' && hook.responses.length === 0) hook.responses.push('yes');
        } else if ('written' in each) {
          // Only of what was answered can it be said.
          const hook = find(each.written);
          if (hook?.responses.length) {
            spool.written(each.written);
            expected = close(hook, 'written');
          }
        } else if ('gone' in each) {
          spool.gone(each.gone);
          expected = close(find(each.gone), 'gone');
        } else if ('ack' in each) {
          spool.ack(each.ack);
          acked = Math.max(acked, Math.min(each.ack, known.length));
        } else {
          const hook = find(each.done);
          spool.done(each.done);
          if (hook) hook.done = true;
        }
        expect(told).toEqual(expected);
        expect(responses).toEqual(known.map((hook) => hook.responses));
      }
      function detachKnown(): void {
        isAttached = false;
        for (const hook of known) {
          if (hook.kind !== 'ask' || hook.state !== 'open' || hook.responses.length > 0) continue;
          hook.state = 'alone';
          hook.responses.push('{}');
        }
      }
      told = [];
      spool.attach((frame) => told.push(frame));
      expect(told).toEqual(known.filter(isKept).map(frameOf));
    }),
  );
});

test('what was kept makes room once it need not be kept any more', () => {
  const spool = new HookSpool(2_000);
  const add = (kind: HookKind, length: number) => {
    expect(spool.reserve(length)).toBe(true);
    return spool.add({ event: 'E', kind, body: Buffer.alloc(length), respond: () => {} });
  };
  add('tell', 300);
  const asked = add('ask', 300);
  expect(spool.reserve(500)).toBe(false);
  spool.ack(asked);
  expect(spool.reserve(1_000)).toBe(true);
  spool.release(1_000);
  spool.done(asked);
  expect(spool.reserve(2_000)).toBe(true);
  expect(spool.full).toBe(true);
  spool.release(2_000);
});

test('hooks without a body fill it, too', () => {
  const spool = new HookSpool(2_000);
  for (let n = 0; n < 4; n += 1) {
    expect(spool.full).toBe(false);
    spool.add({ event: 'E', kind: 'ask', body: Buffer.alloc(0), respond: () => {} });
  }
  expect(spool.full).toBe(true);
});
