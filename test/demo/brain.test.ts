import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Memory, planAnswer } from '../../src/demo/claude/turn/brain.ts';
import { readPieces } from '../../src/demo/claude/turn/script-text.ts';

const memory: Memory = { earlier: [], context: [], systemPrompt: undefined };

test('a plain prompt is answered with what was said and how much is remembered', () => {
  expect(planAnswer('hello\nthere', { ...memory, earlier: ['one', 'two'] })).toEqual([
    { kind: 'say', text: 'You said: hello there\nI remember 2 earlier messages.' },
  ]);
});

test('a channel event is answered by what stands in it, not by its tag', () => {
  const prompt = '<channel source="synthesis" user="alice">\nhello\n</channel>';
  expect(planAnswer(prompt, memory)).toEqual([
    { kind: 'say', text: 'You said: hello\nI remember 0 earlier messages.' },
  ]);
});

test('commands are done in the order in which they stand', () => {
  expect(planAnswer('[[say:a|b]] then [[wait:5]] and [[fail:rate_limit]]', memory)).toEqual([
    { kind: 'say', text: 'a\nb' },
    { kind: 'wait', ms: 5 },
    { kind: 'fail', error: 'rate_limit' },
  ]);
});

test('a prompt that only waits still gets an answer', () => {
  expect(planAnswer('[[wait:5]] hi', memory).map(({ kind }) => kind)).toEqual(['wait', 'say']);
});

test('a tool argument may hold double brackets, braces and semicolons in its strings', () => {
  const input = { list: [[1]], text: 'a]]b;}{"' };
  const plan = planAnswer(`[[tools:pick ${JSON.stringify(input)};mcp__other__go]]`, memory);
  expect(plan).toEqual([
    {
      kind: 'tools',
      calls: [
        { name: 'mcp__synthesis__pick', input },
        { name: 'mcp__other__go', input: {} },
      ],
    },
  ]);
});

test('double brackets that are no command stay ordinary text', () => {
  expect(planAnswer('[[reply_to_current]] hi', memory)).toEqual([
    { kind: 'say', text: 'You said: [[reply_to_current]] hi\nI remember 0 earlier messages.' },
  ]);
});

test('a rule replaces the answer, commands included', () => {
  const rules = [{ when: 'weather', answer: 'Let me look.[[tool:sky {"city":"X"}]]Done.' }];
  expect(planAnswer('How is the Weather?', memory, rules)).toEqual([
    { kind: 'say', text: 'Let me look.' },
    { kind: 'tools', calls: [{ name: 'mcp__synthesis__sky', input: { city: 'X' } }] },
    { kind: 'say', text: 'Done.' },
  ]);
});

test('a question becomes the tool that asks a person', () => {
  const [step] = planAnswer('[[ask:Which?|A|B]]', memory);
  expect(step).toMatchObject({
    kind: 'tools',
    calls: [{ name: 'AskUserQuestion', input: { questions: [{ question: 'Which?', multiSelect: false }] } }],
  });
});

test('an agent has a script of its own, which is not done here; a turn that only starts it still says something', () => {
  const script = '[[wait:5]][[tool:pick {"text":"]]"}]][[say:a|b]]';
  expect(planAnswer(`go [[agent:tests|${script}]]`, memory)).toEqual([
    {
      kind: 'tools',
      calls: [
        {
          name: 'Agent',
          input: { description: 'tests', subagent_type: 'general-purpose', prompt: script },
        },
      ],
    },
    { kind: 'say', text: 'You said: go\nI remember 0 earlier messages.' },
  ]);
});

test('what an agent answers with may be commands: they are done when Claude is told', () => {
  const [answer] = planAnswer('[[then:[[wait:5]][[say:heard]]]]', memory);
  expect(answer).toEqual({ kind: 'say', text: '[[wait:5]][[say:heard]]' });
  const about = '<task-id>a1</task-id>\n<status>completed</status>\n<summary>Agent "one" finished</summary>';
  const told = `<task-notification>\n${about}\n<note>It may come again.</note>\n<result>[[wait:5]][[say:heard]]</result>\n</task-notification>`;
  expect(planAnswer(told, memory)).toEqual([
    { kind: 'wait', ms: 5 },
    { kind: 'say', text: 'heard' },
  ]);
  expect(planAnswer(told.replace(/\[\[.*\]\]/, 'all green'), memory)).toEqual([
    { kind: 'say', text: 'You said: Agent "one" finished all green\nI remember 0 earlier messages.' },
  ]);
});

test('an agent whose script never closes is ordinary text', () => {
  expect(readPieces('[[agent:one|[[say:x]]')).toEqual([{ kind: 'text', text: '[[agent:one|[[say:x]]' }]);
});

test('memory, hidden context and system prompt can be read back', () => {
  const known = { earlier: ['first'], context: ['secret'], systemPrompt: 'You serve alice.' };
  expect(planAnswer('[[recall]][[context]][[system]]', known)).toEqual([
    { kind: 'say', text: 'Earlier messages:\n1. first' },
    { kind: 'say', text: 'Hidden context:\nsecret' },
    { kind: 'say', text: 'System prompt:\nYou serve alice.' },
  ]);
});

test('cutting a text into pieces loses none of its ordinary text', () => {
  fc.assert(
    fc.property(
      fc.array(fc.oneof(fc.string(), fc.constantFrom('[[', ']]', '{', '"', '[[say:x'))),
      (parts) => {
        const text = parts.join('');
        const back = readPieces(text).map((piece) => (piece.kind === 'text' ? piece.text : ''));
        if (!text.includes('[[say:x')) expect(back.join('')).toBe(text);
      },
    ),
  );
});
