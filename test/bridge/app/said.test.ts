import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Said } from '../../../src/bridge/app/said.ts';
import { Text } from '../../../src/domain/state/text.ts';

const step = fc.record({
  words: fc.string({ maxLength: 5 }),
  turn: fc.constantFrom('t1', 't2'),
  grows: fc.string({ maxLength: 40 }),
  times: fc.integer({ min: 1, max: 900 }),
  skips: fc.boolean(),
});

test('whatever was said and quoted reads like one string, anywhere', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 12 }), fc.nat(), fc.nat(), (steps, a, b) => {
      const said = new Said();
      const answers: Record<string, Text> = {};
      let whole = '';
      for (const { words, turn, grows, times, skips } of steps) {
        const before = answers[turn] ?? Text.empty;
        const answer = before.append(grows.repeat(times));
        answers[turn] = answer;
        said.add(words);
        const from = skips ? Math.min(before.length + 1, answer.length) : before.length;
        said.quote(turn, answer, from, answer.length);
        whole += words + String(answer).slice(from);
      }
      const [from = 0, to = 0] = [a, b].map((place) => place % (whole.length + 2));
      expect(said.length).toBe(whole.length);
      expect(String(said) === whole).toBe(true);
      expect(said.slice(from, to) === whole.slice(from, to)).toBe(true);
      expect(said.slice(-from - 1) === whole.slice(-from - 1)).toBe(true);
      expect(said.charCodeAt(from)).toBe(whole.charCodeAt(from));
    }),
  );
});
