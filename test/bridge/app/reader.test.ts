// Two requests on one conversation, where the second comes before it is known what of the first arrived.
import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { Readers } from '../../../src/bridge/app/reader/reader.ts';
import {
  longestText,
  type ReaderItem,
  type ReadOptions,
} from '../../../src/bridge/app/reader/reader-item.ts';
import type { AgentReport } from '../../../src/domain/commands.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { shown } from '../../support/shown.ts';
import { SmallBridge } from '../../support/small-bridge.ts';
import { until } from '../../support/until.ts';

const key = 's';

class Conversation implements AsyncDisposable {
  readonly bridge = new SmallBridge();
  readonly clock = new ManualClock();
  readonly readers = new Readers(this.bridge.dispatcher, this.clock);

  constructor() {
    this.bridge.agent.onPrompt = ({ turn }) => this.bridge.agent.take(key, turn);
  }

  submit(turn: string, meta: Record<string, string> = {}): void {
    this.bridge.dispatcher.dispatch(key, {
      type: 'turn.submit',
      turn,
      claude: 'claude-1',
      launch: { cwd: '/w', permissionMode: 'manual', delivery: 'auto' },
      ingress: 'openai',
      text: turn,
      meta,
    });
  }

  /** @param agent that asks, of a turn before */
  async ask(turn: string, agent?: string): Promise<void> {
    if (agent !== undefined) this.submit(turn);
    await this.working(turn);
    this.bridge.agent.say(key, turn, 'before');
    this.bridge.agent.report(key, {
      type: 'permission.ask',
      code: 'abcde',
      tool: 'Bash',
      input: { command: 'npm test' },
      expires_at: Date.now() + 60_000,
      ...(agent !== undefined && { agent }),
    });
  }

  async working(turn: string): Promise<void> {
    const { dispatcher } = this.bridge;
    const phase = () => dispatcher.session(key)?.turns.find(({ id }) => id === turn)?.phase.name;
    await until(`${turn} at Claude`, () => phase() === 'running');
  }

  async answer(turn: string, text: string): Promise<void> {
    this.submit(turn);
    await this.working(turn);
    this.bridge.agent.endTurn(key, turn, text);
  }

  /** The operator allows it, and Claude says the rest. */
  allow(turn: string): void {
    const { dispatcher } = this.bridge;
    const seen = shown(dispatcher.session(key), 'abcde');
    const allow = { type: 'permission.decide', code: 'abcde', verdict: 'allow', by: 'cli', ...seen } as const;
    expect(dispatcher.dispatch(key, allow)).toMatchObject({ ok: true });
    this.bridge.agent.say(key, turn, 'after', 'm2');
    this.bridge.agent.endTurn(key, turn);
  }

  read(target: string, request: string, options: Partial<ReadOptions> = {}) {
    const { signal } = new AbortController();
    return this.readers.read({ key, target, request, signal, quietMs: 0, interactive: true, ...options });
  }

  /** The first ended with a question, answered since; the second asks for the turn after it. Neither was read on. */
  async twoRequests() {
    this.submit('t1');
    await this.ask('t1');
    const first = this.read('t1', 'r1');
    expect(kinds(await readToEnd(first))).toEqual(['text', 'question']);
    this.allow('t1');
    await this.answer('t2', 'answer');
    return { first, second: this.read('t2', 'r2') };
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.bridge[Symbol.asyncDispose]();
  }
}

/** Reads up to the end, without asking for more: nobody knows yet whether it arrived. */
async function readToEnd(items: AsyncGenerator<ReaderItem, void, void>): Promise<ReaderItem[]> {
  const seen: ReaderItem[] = [];
  for (;;) {
    const { value } = await items.next();
    if (!value || value.kind === 'end') return seen;
    seen.push(value);
  }
}

/** Reads, and asks for more than the end: it arrived. */
async function readAll(items: AsyncGenerator<ReaderItem, void, void>): Promise<ReaderItem[]> {
  const seen: ReaderItem[] = [];
  for await (const item of items) seen.push(item);
  return seen;
}

const words = (items: ReaderItem[]) => items.flatMap((item) => (item.kind === 'text' ? [item.text] : []));
const kinds = (items: ReaderItem[]) => items.map(({ kind }) => kind);

test('the request after a question gets the rest of that turn, although it came at once', async () => {
  await using conversation = new Conversation();
  const { first, second } = await conversation.twoRequests();
  const reading = readToEnd(second);
  await first.next();
  const items = await reading;
  expect(words(items)).toEqual(['\n\nafter', 'answer']);
  expect(kinds(items)).toEqual(['outcome', 'text', 'settled', 'text', 'settled']);
});

test('the answer to a question goes on where the question stopped, although it came at once', async () => {
  await using conversation = new Conversation();
  conversation.submit('t1');
  await conversation.ask('t1');
  const first = conversation.read('t1', 'r1');
  expect(kinds(await readToEnd(first))).toEqual(['text', 'question']);
  const reading = readToEnd(conversation.read('t1', 'r2', { alone: true }));
  conversation.allow('t1');
  // Time for one that does not wait to read too much.
  await setImmediate();
  await first.next();
  expect(words(await reading)).toEqual(['\n\nafter']);
});

test('what did not arrive is read again by the next request', async () => {
  await using conversation = new Conversation();
  const { first, second } = await conversation.twoRequests();
  const reading = readToEnd(second);
  await first.return();
  expect(words(await reading)).toEqual(['before\n\nafter', 'answer']);
});

test('a request whose fate stays unknown is waited for five seconds, and what it read is kept', async () => {
  await using conversation = new Conversation();
  const { first, second } = await conversation.twoRequests();
  const reading = readToEnd(second);
  conversation.clock.advance(5_000);
  expect(words(await reading)).toEqual(['answer']);
  await first.next();
  await second.next();
  await conversation.answer('t3', 'third');
  expect(words(await readToEnd(conversation.read('t3', 'r3')))).toEqual(['\n\nafter', 'third']);
});

test('a client that goes away while it waits reads nothing', async () => {
  await using conversation = new Conversation();
  const { first } = await conversation.twoRequests();
  const gone = new AbortController();
  const reading = readToEnd(conversation.read('t2', 'r3', { signal: gone.signal }));
  gone.abort();
  expect(await reading).toEqual([]);
  expect(conversation.clock.timers).toBe(0);
  await first.return();
});

test('a long answer is handed out in parts, none longer than what may wait for a client', async () => {
  await using conversation = new Conversation();
  conversation.submit('t1');
  await conversation.working('t1');
  const long = `a${'🙂'.repeat(3 * longestText)}`;
  conversation.bridge.agent.say(key, 't1', long);
  conversation.bridge.agent.endTurn(key, 't1', long);
  const items = await readToEnd(conversation.read('t1', 'r1'));
  expect(words(items).join('') === long).toBe(true);
  for (const text of words(items))
    expect([text.length <= longestText, text.isWellFormed()]).toEqual([true, true]);
});

test('a reader that is not asked for more holds nothing, and gets the whole answer when it reads on', async () => {
  await using conversation = new Conversation();
  conversation.submit('t1');
  await conversation.working('t1');
  const { agent } = conversation.bridge;
  const lines = Array.from({ length: 5_000 }, (_, n) => `line ${n}\n`);
  agent.say(key, 't1', lines[0] ?? '', 'm', 0);
  const items = conversation.read('t1', 'r1');
  const { value: first } = await items.next();
  for (const [index, line] of lines.entries()) if (index > 0) agent.say(key, 't1', line, 'm', index);
  agent.endTurn(key, 't1', lines.join(''));
  expect(first).toMatchObject({ text: lines[0], end: lines[0]?.length });
  expect(words(await readToEnd(items)).join('')).toBe(lines.slice(1).join(''));
});

test('an unattended run is one answer, with what its agents bring when they end', async () => {
  await using conversation = new Conversation();
  const { bridge } = conversation;
  const report = (each: AgentReport) => bridge.agent.report(key, each);
  conversation.submit('t1', { unattended: 'scheduled run' });
  await conversation.working('t1');
  report({
    type: 'tool.activity',
    tool_use: 'u1',
    tool: 'Agent',
    phase: 'succeeded',
    errand: { by: 'task', name: 'u1', task: 'a1' },
  });
  report({ type: 'task.begin', task: 'a1', kind: 'agent', hook: 3 });
  bridge.agent.say(key, 't1', 'I started it.');
  bridge.agent.endTurn(key, 't1');
  const reading = readToEnd(conversation.read('t1', 'r1'));
  report({ type: 'task.end', task: 'a1', status: 'completed' });
  await setImmediate();
  const told = { task: 'a1', status: 'completed' };
  const errand = { by: 'task' as const, name: 'u1', task: 'a1' };
  report({ type: 'prompt.foreign', turn: 't2', prompt: 'p-t2', text: 'told', errand, told });
  bridge.agent.say(key, 't2', 'It is done.', 'm2');
  bridge.agent.endTurn(key, 't2');
  const items = await reading;
  expect(words(items)).toEqual(['I started it.', 'It is done.']);
  expect(kinds(items)).toEqual(['text', 'settled', 'text', 'settled']);
});

test('a question of an agent whose turn is over comes with the next answer, once', async () => {
  await using conversation = new Conversation();
  const { bridge } = conversation;
  conversation.submit('t1');
  await conversation.working('t1');
  bridge.agent.report(key, { type: 'task.begin', task: 'a1', kind: 'agent', title: 'tests', hook: 3 });
  bridge.agent.endTurn(key, 't1', 'started');
  await readAll(conversation.read('t1', 'r1'));
  // By the same Claude Code.
  bridge.agent.onPrompt = ({ turn }) =>
    bridge.agent.report(key, { type: 'prompt.taken', turn, prompt: `p-${turn}` });
  await conversation.ask('t2', 'a1');
  bridge.agent.endTurn(key, 't2', 'before');
  const items = await readAll(conversation.read('t2', 'r2'));
  expect(kinds(items)).toEqual(['text', 'question', 'settled', 'end']);
  const [asked] = bridge.dispatcher.session(key)?.asks ?? [];
  expect(asked).toMatchObject({ agent: { id: 'a1', title: 'tests' }, turn: 't1', told: 'question' });
  await conversation.answer('t3', 'next');
  expect(kinds(await readAll(conversation.read('t3', 'r3')))).toEqual(['text', 'settled', 'end']);
});
