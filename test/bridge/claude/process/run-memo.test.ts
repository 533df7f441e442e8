import { expect, test } from 'vitest';
import { readMemo, writeMemo } from '../../../../src/bridge/claude/process/run-memo.ts';

test('what a release before has not said is as it is safest', () => {
  const nothing = { editable: false, relays: false, served: false, policed: false, mark: '' };
  for (const text of ['', '{', 'null', '{"served":1,"mark":2}'])
    expect(readMemo(Buffer.from(text)), text).toEqual(nothing);
});

test('what was left is read as it was', () => {
  const memo = { editable: true, relays: false, served: true, policed: true, mark: 'm', transcript: '/t' };
  expect(readMemo(writeMemo(memo))).toEqual(memo);
  const layout = { lead: '> ', more: '  ', right: '', below: { head: '', fill: '=' }, rest: 1 };
  expect(readMemo(writeMemo({ ...memo, layout }))).toEqual({ ...memo, layout });
});

test('a layout that makes no sense is none', () => {
  expect(readMemo(Buffer.from('{"layout":{"lead":1}}'))).not.toHaveProperty('layout');
});
