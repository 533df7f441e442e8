import fc from 'fast-check';
import { expect, test } from 'vitest';
import { longestChunk } from '../../../../src/bridge/ingress/agp/chunks.ts';
import { Script, type Utterance } from '../../../../src/bridge/ingress/agp/script.ts';
import { noAnswer } from '../../../../src/domain/state/answer.ts';
import { Text } from '../../../../src/domain/state/text.ts';
import type { Turn } from '../../../../src/domain/state/turn.ts';
import { noMask } from '../../../support/no-masks.ts';
import { runs } from '../../../support/runs.ts';

function turn(text: string, more: Partial<Turn> = {}): Turn {
  return {
    id: 't1',
    ingress: 'agp',
    text: 'question',
    meta: {},
    adopted: false,
    acceptedAt: 0,
    phase: { name: 'running' },
    answer: { ...noAnswer, text: Text.of(text) },
    handed: 0,
    answered: false,
    reads: [],
    ...more,
  };
}

const done: Turn['phase'] = { name: 'settled', outcome: 'completed' };

const script = (cancelled = false) =>
  new Script({
    target: 't1',
    session: 'k',
    claude: undefined,
    note: '',
    cancelled: () => cancelled,
    mask: noMask,
  });

function drain(from: Script, last: boolean): Utterance[] {
  const all: Utterance[] = [];
  for (let next = from.next(last); next; next = from.next(last)) all.push(next);
  return all;
}

const words = (all: readonly Utterance[]) =>
  all.map((each) => (each.kind === 'text' ? each.text : '')).join('');

/** Any text that UTF-16 can hold, whole characters or not. */
const anyText = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({ unit: 'grapheme' }),
  fc
    .array(
      fc.constantFrom('\ud83d', '\ude42', '🙂', 'e\u0301', 'a', '\0', '\u200d', '\r\n', '\ufeff', '\u2028'),
    )
    .map((units) => units.join('')),
);

test('the pieces of an answer, put together, are the answer: for every text, cut anywhere', () => {
  fc.assert(
    fc.property(fc.array(anyText, { maxLength: 12 }), (pieces) => {
      const told = script();
      let text = '';
      const all: Utterance[] = [];
      for (const piece of pieces) {
        if (piece === '') continue;
        const first = text === '';
        text += piece;
        told.add({ kind: 'text', turn: turn(text), text: piece, end: text.length, first });
        all.push(...drain(told, false));
      }
      told.add({ kind: 'settled', turn: turn(text, { phase: done }) });
      all.push(...drain(told, true));
      for (const each of all) {
        expect(each.kind === 'text' && each.text !== '' && each.text.isWellFormed()).toBe(true);
      }
      expect(told.ending()).toEqual({ stop: 'end_turn', text: words(all) });
      expect(words(all)).toBe(text.replace(/^\n+/, '').toWellFormed());
    }),
    { numRuns: runs(500) },
  );
});

test('no piece is longer than its limit, and no character is torn by it', () => {
  const long = '🙂'.repeat(longestChunk);
  const told = script();
  told.add({ kind: 'text', turn: turn(`a${long}`), text: `a${long}`, end: long.length + 1, first: true });
  const all = drain(told, false);
  expect(words(all)).toBe(`a${long}`);
  for (const each of all) {
    expect(each.kind === 'text' && each.text.length <= longestChunk && each.text.isWellFormed()).toBe(true);
  }
});

test('a tool use stands where it happened in the text, whenever the text is read', () => {
  const moment = (text: string, phase: 'started' | 'succeeded') => ({
    use: { id: 'u', tool: 'Bash', input: { command: 'ls' } },
    phase,
    turn: turn(text),
  });
  const told = script();
  // Both moments come before anything was read.
  told.tool(moment('before ', 'started'));
  told.tool(moment('before between ', 'succeeded'));
  told.add({
    kind: 'text',
    turn: turn('before between after'),
    text: 'before between after',
    end: 20,
    first: true,
  });
  const order = drain(told, true).map((each) => (each.kind === 'text' ? each.text : each.call.status));
  expect(order).toEqual(['before ', 'in_progress', 'between ', 'completed', 'after']);
});

test('however text and tools are mixed, the text is whole and every tool begins before it ends', () => {
  const step = fc.oneof(
    fc.constantFrom('x', '🙂', '\ud83d', 'long text ').map((text) => ({ text })),
    fc.nat(3).map((start) => ({ start })),
    fc.nat(3).map((end) => ({ end })),
    fc.constant({ read: true }),
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      const told = script();
      const all: Utterance[] = [];
      let text = '';
      let read = 0;
      const catchUp = () => {
        if (read < text.length)
          told.add({
            kind: 'text',
            turn: turn(text),
            text: text.slice(read),
            end: text.length,
            first: read === 0,
          });
        read = text.length;
        all.push(...drain(told, false));
      };
      for (const each of steps) {
        if ('text' in each) text += each.text;
        else if ('read' in each) catchUp();
        else {
          const [id, phase] =
            'start' in each ? [each.start, 'started' as const] : [each.end, 'succeeded' as const];
          told.tool({ use: { id: `u${id}`, tool: 'Read' }, phase, turn: turn(text) });
          all.push(...drain(told, false));
        }
      }
      catchUp();
      told.add({ kind: 'settled', turn: turn(text, { phase: { ...done, code: 'empty_answer' } }) });
      all.push(...drain(told, true));
      expect(told.ending()).toMatchObject({ text: words(all) });
      const open = new Set<string>();
      for (const each of all) {
        if (each.kind === 'text') continue;
        const { tool_call_id: id, status } = each.call;
        expect(open.has(id)).toBe(each.type === 'tool_call_update');
        if (status === 'in_progress') open.add(id);
        else open.delete(id);
      }
      expect(open.size).toBe(0);
    }),
    { numRuns: runs(300) },
  );
});

test('an earlier answer that nobody read comes first and says what it belongs to', () => {
  const told = script();
  const late = turn('It is blue.', { id: 't0', text: 'what colour?' });
  told.add({ kind: 'text', turn: late, text: 'It is blue.', end: 11, first: true });
  told.add({ kind: 'settled', turn: { ...late, phase: done } });
  told.add({ kind: 'text', turn: turn('Now.'), text: 'Now.', end: 4, first: true });
  told.add({ kind: 'settled', turn: turn('Now.', { phase: done }) });
  expect(words(drain(told, true))).toBe(
    '_(answer to your earlier message "what colour?")_\n\nIt is blue.\n\nNow.',
  );
});

test('the words of a failure are the error, not part of the text', () => {
  const told = script();
  told.add({ kind: 'text', turn: turn('half'), text: 'half', end: 4, first: true });
  const failed = { name: 'settled', outcome: 'failed', code: 'exited' } as const;
  told.add({ kind: 'settled', turn: turn('half', { phase: failed }) });
  expect(words(drain(told, true))).toBe('half');
  expect(told.ending()).toMatchObject({ stop: 'error', words: expect.stringContaining('Claude Code ended') });
});

test('a turn that is not known any more ends in an error, or as cancelled when that was asked', () => {
  expect(script().ending()).toMatchObject({ stop: 'error', words: expect.any(String) });
  expect(script(true).ending()).toEqual({ stop: 'cancelled' });
});

test('a message that waits ends its prompt in words, which say that it goes out by itself', () => {
  const told = script();
  const hold = { code: 'start_dialog', detail: 'Claude Code asks about MCP servers.' } as const;
  told.add({ kind: 'held', turn: turn('', { phase: { name: 'queued', held: hold } }), hold });
  expect(told.complete).toBe(true);
  const text = words(drain(told, true));
  expect(text).toContain('`Claude Code asks about MCP servers.`');
  expect(text).toContain('Your message "question" waits, and goes to Claude by itself');
  expect(told.ending()).toEqual({ stop: 'end_turn', text });
});
