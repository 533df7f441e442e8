// What answers say of Claude's tools: through the real door, with a scripted Claude and a clock that the test moves.
import OpenAI from 'openai';
import { describe, expect, test } from 'vitest';
import { progressOf } from '../../../../../src/bridge/ingress/openai/answer/progress.ts';
import type { ProgressMode } from '../../../../../src/protocol/settings/config.ts';
import { ManualClock } from '../../../../support/manual-clock.ts';
import { letThrough } from '../../../../support/rulings.ts';
import { SmallBridge } from '../../../../support/small-bridge.ts';
import { until } from '../../../../support/until.ts';

/** One conversation with one client that reads a stream. */
class Talk implements AsyncDisposable {
  readonly clock: ManualClock;
  readonly bridge: SmallBridge;
  text = '';
  turn = '';
  key = '';
  #message = 0;
  #reading: Promise<void> = Promise.resolve();

  private constructor(bridge: SmallBridge, clock: ManualClock) {
    this.bridge = bridge;
    this.clock = clock;
    bridge.agent.onPrompt = (prompt, session) => bridge.agent.take(session.key, prompt.turn);
  }

  static async start(mode: ProgressMode): Promise<Talk> {
    const clock = new ManualClock();
    const bridge = await SmallBridge.start({ streamClock: clock });
    bridge.progress = mode;
    return new Talk(bridge, clock);
  }

  #client(session: string | null): OpenAI {
    const headers = session === null ? {} : { 'x-synthesis-session': session };
    return new OpenAI({
      baseURL: `${this.bridge.url}/v1`,
      apiKey: this.bridge.token,
      maxRetries: 0,
      defaultHeaders: headers,
    });
  }

  /** @param session null for a client that names none */
  async ask(content: string, session: string | null = 's1'): Promise<void> {
    this.text = '';
    const request = {
      model: 'claude',
      messages: [{ role: 'user' as const, content }],
      stream: true as const,
    };
    const stream = await this.#client(session).chat.completions.create(request);
    this.#reading = (async () => {
      for await (const chunk of stream) this.text += chunk.choices[0]?.delta.content ?? '';
    })();
    const { prompt, session: of } = await until('the prompt', () => this.bridge.agent.prompts.at(-1));
    this.turn = prompt.turn;
    this.key = of.key;
    await this.settled();
  }

  /** A whole message of Claude's. */
  says(text: string): void {
    this.#message += 1;
    this.bridge.agent.say(this.key, this.turn, text, `m${this.#message}`, 0, true);
  }

  begins(id: string, input: unknown = { command: `run ${id}` }, tool = 'Bash'): void {
    this.bridge.agent.report(this.key, {
      type: 'tool.activity',
      tool_use: id,
      tool,
      phase: 'started',
      input,
    });
  }

  ends(id: string, tool = 'Bash', phase: 'succeeded' | 'failed' = 'succeeded'): void {
    this.bridge.agent.report(this.key, { type: 'tool.activity', tool_use: id, tool, phase });
  }

  /** Claude calls a tool of a provider. */
  calls(call: string, args: Record<string, unknown> = { query: 'all' }, provider = 'notes'): void {
    const whose = provider === '' ? {} : { provider };
    this.begins(`use of ${call}`, args, 'mcp__synthesis__notes_index');
    const about = { tool: 'notes_index', tool_use: `use of ${call}`, ...whose, ruling: letThrough };
    this.bridge.agent.report(this.key, { type: 'tool.call', call, args, ...about });
  }

  far(call: string, text: string): void {
    this.bridge.dispatcher.dispatch(this.key, { type: 'tool.progress', call, text });
  }

  answered(call: string): void {
    this.bridge.dispatcher.dispatch(this.key, { type: 'tool.answer', call, ok: true, content: 'x' });
    this.ends(`use of ${call}`, 'mcp__synthesis__notes_index');
  }

  /** A tool from its beginning to its end. */
  runs(id: string, seconds: number, input?: unknown): void {
    this.begins(id, input);
    this.clock.advance(seconds * 1000);
    this.ends(id);
  }

  /** What was dispatched has been read. */
  async settled(): Promise<void> {
    for (let i = 0; i < 20; i += 1) await new Promise(setImmediate);
  }

  /** @returns the whole answer */
  async ended(): Promise<string> {
    this.bridge.agent.endTurn(this.key, this.turn);
    await this.#reading;
    return this.text;
  }

  /** @returns what was said when the response ended by itself */
  async closed(): Promise<string> {
    await this.#reading;
    return this.text;
  }

  get kept(): string {
    const session = this.bridge.dispatcher.session(this.key);
    return String(session?.turns.find(({ id }) => id === this.turn)?.answer.text ?? '');
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.bridge[Symbol.asyncDispose]();
  }
}

describe('brief', () => {
  test('a tool that took long has a line between the messages, and none in what is kept', async () => {
    await using talk = await Talk.start('brief');
    await talk.ask('test it');
    talk.says('Let me see.');
    talk.runs('a', 42, { command: 'npm test', description: 'Run the tests' });
    await talk.settled();
    expect(talk.text).toBe('Let me see.');
    talk.says('All green.');
    expect(await talk.ended()).toBe('Let me see.\n\n_(ran Bash "Run the tests", 42 s)_\n\nAll green.');
    expect(talk.kept).toBe('Let me see.\n\nAll green.');
  });

  test('several in a row are one line with the longest', async () => {
    await using talk = await Talk.start('brief');
    await talk.ask('test it');
    talk.runs('a', 4);
    talk.runs('b', 90);
    talk.runs('c', 30);
    talk.says('Done.');
    expect(await talk.ended()).toBe('_(ran 3 tools, 2 min; longest: Bash "run b", 90 s)_\n\nDone.');
  });

  test('short ones have none, and the time in which Claude thinks is nobody’s', async () => {
    await using talk = await Talk.start('brief');
    await talk.ask('test it');
    talk.runs('a', 9.9);
    talk.clock.advance(60_000);
    talk.says('One.');
    talk.runs('b', 9.9);
    talk.says('Two.');
    expect(await talk.ended()).toBe('One.\n\nTwo.');
  });

  test('text that is told after the tool behind it stands before its line', async () => {
    await using talk = await Talk.start('brief');
    await talk.ask('test it');
    talk.begins('a');
    talk.clock.advance(23);
    talk.says('I run it.');
    talk.clock.advance(20_000);
    talk.ends('a');
    talk.says('Done.');
    expect(await talk.ended()).toBe('I run it.\n\n_(ran Bash "run a", 20 s)_\n\nDone.');
  });

  test('so does that behind a tool before it, and both have a line', async () => {
    await using talk = await Talk.start('brief');
    await talk.ask('test it');
    talk.runs('a', 20);
    talk.clock.advance(5_000);
    talk.begins('b');
    talk.clock.advance(23);
    talk.says('Now the other.');
    talk.clock.advance(30_000);
    talk.ends('b');
    talk.says('Done.');
    expect(await talk.ended()).toBe(
      '_(ran Bash "run a", 20 s)_\n\nNow the other.\n\n_(ran Bash "run b", 30 s)_\n\nDone.',
    );
  });

  test('a tool of which no end was told is over when Claude goes on', async () => {
    await using talk = await Talk.start('brief');
    await talk.ask('test it');
    talk.begins('a');
    talk.clock.advance(20_000);
    talk.says('One.');
    talk.clock.advance(20_000);
    talk.says('Two.');
    expect(await talk.ended()).toBe('_(ran Bash "run a", 20 s)_\n\nOne.\n\nTwo.');
  });

  test('no line stands in the middle of a message', async () => {
    await using talk = await Talk.start('brief');
    await talk.ask('test it');
    talk.bridge.agent.say(talk.key, talk.turn, 'half a ', 'x', 0, false);
    talk.runs('a', 30);
    talk.bridge.agent.say(talk.key, talk.turn, 'sentence', 'x', 1, true);
    talk.says('Next.');
    expect(await talk.ended()).toBe('half a sentence\n\nNext.');
  });

  test('a client that reads slowly finds every line in its place', async () => {
    await using talk = await Talk.start('brief');
    await talk.ask('test it');
    // Not one of these is read before the last is there.
    talk.says('One.');
    talk.runs('a', 11);
    talk.says('Two.');
    talk.runs('b', 12);
    talk.says('Three.');
    const whole = 'One.\n\n_(ran Bash "run a", 11 s)_\n\nTwo.\n\n_(ran Bash "run b", 12 s)_\n\nThree.';
    expect(await talk.ended()).toBe(whole);
  });

  test('what is open in an answer is closed in front of a line', async () => {
    await using talk = await Talk.start('brief');
    await talk.ask('test it');
    talk.says('```\nnever closed');
    talk.runs('a', 15);
    talk.says('Done.');
    const text = await talk.ended();
    expect(text).toMatch(/^```\nnever closed\n\n```end\n```\n\n_\(ran /);
  });

  test('a turn that ends with a tool tells it', async () => {
    await using talk = await Talk.start('brief');
    await talk.ask('test it');
    talk.says('I try.');
    talk.begins('a');
    talk.clock.advance(15_000);
    expect(await talk.ended()).toBe('I try.\n\n_(ran Bash "run a", 15 s)_');
  });

  test('one that a rule denied, and one that the hub runs itself, are not told', async () => {
    await using talk = await Talk.start('brief');
    await talk.ask('test it');
    talk.begins('a');
    const ruling = { decision: 'deny' as const, door: 'rule', rule: 1 };
    talk.bridge.agent.report(talk.key, {
      type: 'tool.ruled',
      tool: 'Bash',
      input: {},
      tool_use: 'a',
      ruling: ruling as never,
    });
    talk.begins('b', {}, 'mcp__synthesis__exec');
    talk.clock.advance(60_000);
    talk.ends('b', 'mcp__synthesis__exec');
    talk.says('Done.');
    expect(await talk.ended()).toBe('Done.');
  });

  test('the time in which somebody is asked does not count; what runs behind a yes does', async () => {
    await using talk = await Talk.start('brief');
    await talk.ask('push it');
    talk.says('I push.');
    talk.begins('a', { command: 'git push' });
    talk.bridge.agent.report(talk.key, {
      type: 'permission.ask',
      tool: 'Bash',
      input: { command: 'git push' },
      code: 'abcde',
      tool_use: 'a',
      at: 0,
      timeout: 600_000,
    } as never);
    expect(await talk.closed()).toMatch(/^I push\.\n\nClaude asks for permission/);
    talk.clock.advance(300_000);
    const prompts = talk.bridge.agent.prompts.length;
    await talk.ask('yes abcde');
    expect(talk.bridge.agent.prompts).toHaveLength(prompts);
    talk.clock.advance(31_000);
    talk.ends('a');
    talk.says('Pushed.');
    expect(await talk.ended()).toBe('_(ran Bash "git push", 31 s)_\n\nPushed.');
  });

  test('the same request once more reads the same text, with or without lines', async () => {
    await using talk = await Talk.start('brief');
    await talk.ask('test it');
    talk.says('One.');
    talk.runs('a', 20);
    talk.says('Two.');
    await talk.ended();
    const reads = talk.bridge.dispatcher.session(talk.key)?.turns[0]?.reads;
    expect(reads).toEqual([{ request: expect.any(String), start: 0 }]);
    expect(talk.bridge.dispatcher.session(talk.key)?.turns[0]?.handed).toBe('One.\n\nTwo.'.length);
  });
});

describe('full', () => {
  test('says what runs when it has taken long, once for each, and not more often than every 10 s', async () => {
    await using talk = await Talk.start('full');
    await talk.ask('test it');
    talk.says('Let me see.');
    talk.begins('a', { command: 'npm test' });
    talk.clock.advance(9_999);
    await talk.settled();
    expect(talk.text).toBe('Let me see.');
    talk.clock.advance(1);
    await talk.settled();
    expect(talk.text).toBe('Let me see.\n\n_(running Bash "npm test")_');
    talk.clock.advance(600_000);
    talk.ends('a');
    for (let i = 0; i < 10; i += 1) talk.runs(`s${i}`, 0.1);
    talk.begins('b');
    talk.clock.advance(2_000);
    talk.ends('b');
    talk.says('Done.');
    expect(await talk.ended()).toBe(
      'Let me see.\n\n_(running Bash "npm test")_\n\n_(running Bash "run b", after 11 other tools)_\n\n_(ran 12 tools, 10 min; longest: Bash "npm test", 10 min)_\n\nDone.',
    );
    expect(talk.clock.timers).toBeLessThan(5);
  });

  test('a thousand tools of a second cost a line every ten, and nothing that grows', async () => {
    await using talk = await Talk.start('full');
    await talk.ask('test it');
    for (let i = 0; i < 1000; i += 1) {
      talk.runs(`t${i}`, 1);
      if (i % 50 === 0) await talk.settled();
    }
    talk.says('Done.');
    const text = await talk.ended();
    expect(text.match(/running/g)?.length).toBeLessThanOrEqual(100);
    expect(text).toMatch(/\(ran 1000 tools, 17 min; longest: Bash "run t\d+", 1 s\)_\n\nDone\.$/);
  });
});

describe('agents', () => {
  const agent = (talk: Talk, task: string, title: string) =>
    talk.bridge.agent.report(talk.key, { type: 'task.begin', task, kind: 'agent', title, hook: 1 });
  const uses = (talk: Talk, agent: string, tool: string) =>
    talk.bridge.agent.report(talk.key, {
      type: 'tool.activity',
      tool_use: `use of ${agent}`,
      tool,
      phase: 'started',
      agent,
    });

  test('are named once, when the turn neither wrote nor used a tool for ten seconds', async () => {
    await using talk = await Talk.start('full');
    await talk.ask('test it');
    agent(talk, 'a1', 'tests');
    uses(talk, 'a1', 'Bash');
    agent(talk, 'a2', 'docs');
    talk.clock.advance(9_000);
    talk.says('They work.');
    await talk.settled();
    talk.clock.advance(9_999);
    await talk.settled();
    expect(talk.text).toBe('They work.');
    talk.clock.advance(1);
    await talk.settled();
    const both = '_(running 2 agents: "tests" (Bash), "docs")_';
    expect(talk.text).toBe(`They work.\n\n${both}`);
    uses(talk, 'a1', 'Read');
    talk.clock.advance(600_000);
    await talk.settled();
    expect(talk.text).toBe(`They work.\n\n${both}`);
    talk.bridge.agent.report(talk.key, { type: 'task.end', task: 'a2', status: 'completed' });
    agent(talk, 'a3', 'lint');
    talk.clock.advance(10_000);
    await talk.settled();
    const then = '_(running 2 agents: "tests" (Read), "lint")_';
    expect(talk.text).toBe(`They work.\n\n${both}\n\n${then}`);
    talk.says('Done.');
    expect(await talk.ended()).toBe(`They work.\n\n${both}\n\n${then}\n\nDone.`);
    expect(talk.kept).toBe('They work.\n\nDone.');
  });

  test('are not named while a tool of the turn runs, in the middle of a message, or once they have ended', async () => {
    await using talk = await Talk.start('full');
    await talk.ask('test it');
    agent(talk, 'a1', 'tests');
    talk.begins('a', { command: 'npm test' });
    talk.clock.advance(10_000);
    await talk.settled();
    expect(talk.text).toBe('_(running Bash "npm test")_');
    talk.clock.advance(60_000);
    await talk.settled();
    expect(talk.text).toBe('_(running Bash "npm test")_');
    talk.ends('a');
    talk.bridge.agent.say(talk.key, talk.turn, 'I am', 'half', 0, false);
    await talk.settled();
    talk.clock.advance(60_000);
    await talk.settled();
    expect(talk.text).not.toContain('agent');
    talk.bridge.agent.say(talk.key, talk.turn, ' here.', 'half', 1, true);
    talk.bridge.agent.report(talk.key, { type: 'task.end', task: 'a1', status: 'completed' });
    talk.clock.advance(60_000);
    expect(await talk.ended()).not.toContain('agent');
  });

  test('in brief have no line', async () => {
    await using talk = await Talk.start('brief');
    await talk.ask('test it');
    agent(talk, 'a1', 'tests');
    talk.clock.advance(60_000);
    talk.says('Done.');
    expect(await talk.ended()).toBe('Done.');
  });
});

describe("a provider's tool", () => {
  const running = (far = '') => `_(running notes\\_index "all"${far})_`;

  test('is said like any other, with how far it is', async () => {
    await using talk = await Talk.start('full');
    await talk.ask('index it');
    talk.says('Let me see.');
    talk.calls('c1');
    talk.far('c1', '20 of 100');
    talk.far('c1', '30 of 100');
    await talk.settled();
    talk.clock.advance(10_000);
    await talk.settled();
    expect(talk.text).toBe(`Let me see.\n\n${running(': 30 of 100')}`);
    talk.far('c1', '40 of 100');
    talk.clock.advance(2_000);
    talk.answered('c1');
    talk.says('Done.');
    const ran = '_(ran notes\\_index "all", 12 s)_';
    expect(await talk.ended()).toBe(`Let me see.\n\n${running(': 30 of 100')}\n\n${ran}\n\nDone.`);
    expect(talk.kept).toBe('Let me see.\n\nDone.');
  });

  test('is said again in a minute if it is further, and not if it is not', async () => {
    await using talk = await Talk.start('full');
    await talk.ask('index it');
    talk.calls('c1');
    for (let second = 0; second < 130; second += 1) {
      talk.far('c1', `${second} of 999`);
      talk.clock.advance(1_000);
      await talk.settled();
    }
    const said = [...talk.text.matchAll(/: (\d+) of 999/g)].map(([, at]) => Number(at));
    expect(said).toEqual([9, 71]);
    talk.clock.advance(600_000);
    await talk.settled();
    expect(talk.text.match(/running/g)).toHaveLength(2);
    talk.answered('c1');
    await talk.ended();
  });

  test('in brief is said once it is over, and so is one that was dropped', async () => {
    await using talk = await Talk.start('brief');
    await talk.ask('index it');
    talk.calls('c1');
    talk.far('c1', '30 of 100');
    talk.clock.advance(15_000);
    talk.bridge.agent.report(talk.key, { type: 'tool.cancel', call: 'c1' });
    talk.clock.advance(60_000);
    talk.says('Done.');
    expect(await talk.ended()).toBe('_(ran notes\\_index "all", 15 s)_\n\nDone.');
  });

  test('that runs when the response begins is known to run, and how far it is', async () => {
    await using talk = await Talk.start('full');
    await talk.ask('push it');
    talk.calls('c1');
    talk.far('c1', '30 of 100');
    talk.bridge.agent.report(talk.key, {
      type: 'permission.ask',
      tool: 'Bash',
      input: { command: 'git push' },
      code: 'abcde',
      tool_use: 'a',
      at: 0,
      timeout: 600_000,
    } as never);
    await talk.closed();
    await talk.ask('no abcde');
    talk.clock.advance(10_000);
    await talk.settled();
    expect(talk.text).toContain(running(': 30 of 100'));
    talk.answered('c1');
    await talk.ended();
  });

  test('is not said again for what another one says', async () => {
    await using talk = await Talk.start('full');
    await talk.ask('index it');
    talk.calls('c1');
    talk.begins('a');
    talk.clock.advance(10_000);
    for (let second = 0; second < 130; second += 1) {
      talk.far('c1', `${second} of 999`);
      talk.clock.advance(1_000);
    }
    await talk.settled();
    expect(talk.text).toBe('_(running Bash "run a")_');
    talk.answered('c1');
    talk.ends('a');
    await talk.ended();
  });

  test.each([
    ['before', 'of this turn', ['ran notes_index "all", 15 s']],
    ['before', 'of the hub', []],
    ['before', 'of another turn', []],
    ['after', 'of this turn', ['ran notes_index "all", 15 s']],
    ['after', 'of the hub', []],
    ['after', 'of another turn', []],
  ])('that was called %s the response began and is %s is told as %j', async (when, whose, words) => {
    await using talk = await Talk.start('brief');
    await talk.ask('index it');
    const { dispatcher } = talk.bridge;
    const launch = { cwd: '/w', permissionMode: 'manual', delivery: 'auto' } as const;
    const next = { turn: 't2', claude: 'c', launch, ingress: 'openai', text: 'and that' } as const;
    dispatcher.dispatch(talk.key, { type: 'turn.submit', ...next });
    const about = { dispatcher, clock: talk.clock, key: talk.key, mode: 'brief' as const };
    const target = whose === 'of another turn' ? 't2' : talk.turn;
    const call = () => talk.calls('c1', undefined, whose === 'of the hub' ? '' : 'notes');
    if (when === 'before') call();
    const progress = progressOf({ ...about, target });
    if (when === 'after') call();
    talk.clock.advance(15_000);
    expect(progress?.pause().map((line) => line.words.replaceAll('\\', '').slice(2, -2))).toEqual(words);
    progress?.close();
    talk.answered('c1');
    await talk.ended();
  });
});

describe('who gets no lines', () => {
  const work = async (talk: Talk) => {
    talk.says('One.');
    talk.runs('a', 60);
    talk.says('Two.');
    return talk.ended();
  };

  test('everybody, unless it is configured', async () => {
    await using talk = await Talk.start('off');
    await talk.ask('test it');
    expect(await work(talk)).toBe('One.\n\nTwo.');
  });

  test('a client that names no conversation: its texts tell which one it is', async () => {
    await using talk = await Talk.start('full');
    await talk.ask('test it', null);
    expect(await work(talk)).toBe('One.\n\nTwo.');
  });

  test('the Responses API gets them like the other', async () => {
    await using talk = await Talk.start('brief');
    const { bridge } = talk;
    const client = new OpenAI({
      baseURL: `${bridge.url}/v1`,
      apiKey: bridge.token,
      defaultHeaders: { 'x-synthesis-session': 's1' },
    });
    const answer = client.responses.create({ model: 'claude', input: 'test it' });
    talk.turn = (await until('the prompt', () => bridge.agent.prompts[0])).prompt.turn;
    talk.key = 's1';
    talk.says('One.');
    talk.runs('a', 60);
    talk.says('Two.');
    bridge.agent.endTurn('s1', talk.turn);
    expect((await answer).output_text).toBe('One.\n\n_(ran Bash "run a", 60 s)_\n\nTwo.');
  });
});
