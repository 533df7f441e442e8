// Every tool that the real Claude Code asks about in manual mode, answered through every door.
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type OpenAI from 'openai';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { OperatorSocket, type Row } from '../support/operator-socket.ts';
import { until } from '../support/until.ts';
import { AskingModel, lentTool, type ToolKind, toolKinds } from './support/asking-model.ts';
import { stateDirOf } from './support/bridge.ts';
import { World } from './support/world.ts';

let world: World;
let model: AskingModel;
let operator: OperatorSocket;

beforeAll(async () => {
  const policy = [{ tool: lentTool, decision: 'allow' }];
  world = await World.start('permissions', { config: { policy } });
  // The bridge allows its own tools when it starts Claude Code; this user wants to be asked about one of them.
  const settings = { permissions: { ask: [`mcp__synthesis__${lentTool}`] }, skipWebFetchPreflight: true };
  await mkdir(join(world.home.path, '.claude'), { recursive: true });
  await writeFile(join(world.home.path, '.claude/settings.json'), JSON.stringify(settings));
  model = await AskingModel.start(world.api, world.cwd);
  operator = await OperatorSocket.open(stateDirOf(world.home.path));
});
afterAll(async () => {
  console.info(`allow to tool, ms: ${speed()}`);
  await operator?.[Symbol.asyncDispose]();
  await model?.[Symbol.asyncDispose]();
  await world?.[Symbol.asyncDispose]();
});

const tools = [{ type: 'function' as const, function: { name: lentTool, parameters: { type: 'object' } } }];

/** One message of a chat and the whole answer; tools of the hub are run at once. */
async function say(session: string, text: string): Promise<string> {
  const messages: OpenAI.ChatCompletionMessageParam[] = [{ role: 'user', content: text }];
  let said = '';
  for (;;) {
    const { choices } = await world.bridge.openai.chat.completions.create(
      { model: 'claude', messages, tools },
      { headers: { 'x-synthesis-session': session } },
    );
    const message = choices[0]?.message;
    said += message?.content ?? '';
    if (!message?.tool_calls?.length) return said;
    messages.push(message);
    for (const { id } of message.tool_calls)
      messages.push({ role: 'tool', tool_call_id: id, content: 'looked up' });
  }
}

interface Asked {
  kind: ToolKind;
  name: string;
  code: string;
  /** What the chat read. */
  question: string;
  visits: number;
}

let names = 0;

/** Lets the model use a tool, up to the question. */
async function ask(session: string, kind: ToolKind): Promise<Asked> {
  names += 1;
  const name = `${session}${names}`;
  const visits = model.visits;
  await model.prepare(kind, name);
  const question = await say(session, `go ${kind} ${name}`);
  const code = [...question.matchAll(/`yes ([a-km-z]{5})/g)].at(-1)?.[1] ?? '';
  expect(code, question).not.toBe('');
  expect(question).toContain(shown(kind, name));
  return { kind, name, code, question, visits };
}

/** What a person has to see before answering. */
function shown(kind: ToolKind, name: string): string {
  const texts: Record<ToolKind, string> = {
    Bash: `touch ${name}.txt`,
    Write: `${name}.txt`,
    Edit: '"new_string": "after"',
    MCP: `"word": "${name}"`,
    WebFetch: 'https://127.0.0.1',
    AskUserQuestion: '2. Blue — cold',
    ExitPlanMode: `# The plan of ${name}`,
  };
  return texts[kind];
}

const rowsOf = (code: string) => operator.rows.filter(({ event }) => event.code === code);
const last = (code: string, type: string) => rowsOf(code).findLast(({ event }) => event.type === type)?.event;
const settled = (code: string) => until(`the end of ${code}`, () => last(code, 'permission.settled'), 20_000);
const turnOver = (code: string) =>
  until(
    `the turn of ${code} to end`,
    () => {
      const turn = last(code, 'permission.asked')?.turn;
      return operator.rows.some(({ event }) => event.type === 'turn.settled' && event.turn === turn);
    },
    20_000,
  );

/** What came of the tool itself: its row in the journal names the call that was asked about. */
const activity = (code: string): Row[] => {
  const id = last(code, 'permission.asked')?.tool_use;
  return operator.rows.filter(({ event }) => event.type === 'activity' && event.tool_use === id);
};

/** One record, one verdict, and the tool ran or did not. */
async function expectRan({ kind, name, code, visits }: Asked, ran: boolean): Promise<void> {
  // The journal comes on a connection of its own, and may be behind what the chat has read.
  await turnOver(code);
  expect(rowsOf(code).filter(({ event }) => event.type === 'permission.asked')).toHaveLength(1);
  expect(rowsOf(code).filter(({ event }) => event.type === 'permission.decided').length).toBeLessThan(2);
  const phases = activity(code).map(({ event }) => event.phase);
  // A page that hangs up makes WebFetch fail, after it went there.
  expect(phases.includes('succeeded') || (kind === 'WebFetch' && phases.includes('failed')), kind).toBe(ran);
  expect((await model.ran(kind, name, visits)) ?? ran, kind).toBe(ran);
}

/** From the stored verdict to Claude Code's word that the tool has run. */
function speed(): string {
  const times = operator.events('permission.decided').flatMap(({ code, verdict }) => {
    const decided = rowsOf(String(code)).find(({ event }) => event.type === 'permission.decided');
    const done = activity(String(code)).find(({ event }) => event.phase !== 'started');
    return verdict === 'allow' && decided && done ? [done.at - decided.at] : [];
  });
  times.sort((a, b) => a - b);
  return `median ${times[times.length >> 1]}, most ${times.at(-1)}, n=${times.length} (${times.join(' ')})`;
}

describe.each(toolKinds)('%s', (kind) => {
  test('is allowed by chat: the rest of the answer follows in the response to the yes', async () => {
    const asked = await ask('chat', kind);
    const rest = await say('chat', kind === 'AskUserQuestion' ? `yes ${asked.code} 2` : `YES ${asked.code}`);
    expect(rest).toContain(`result of ${asked.name}`);
    if (kind === 'AskUserQuestion') expect(rest).toContain('"Which colour?"="Blue"');
    if (kind === 'MCP') expect(rest).toContain('looked up');
    await expectRan(asked, true);
    expect(await settled(asked.code)).toMatchObject({ outcome: 'applied' });
  });

  test('is denied by chat: Claude reads the reason', async () => {
    const asked = await ask('chat', kind);
    const rest = await say('chat', `no ${asked.code} rather not today`);
    expect(rest).toContain(`result of ${asked.name}`);
    expect(rest).toContain('rather not today');
    await expectRan(asked, false);
    expect(await settled(asked.code)).toMatchObject({ outcome: 'applied' });
  });

  test('is allowed by the operator: the rest of the answer waits for the next request', async () => {
    const asked = await ask('cli', kind);
    const answer = kind === 'AskUserQuestion' ? ['--answer', '2'] : [];
    await world.bridge.command('approve', asked.code, ...answer);
    if (kind !== 'MCP') await turnOver(asked.code);
    const next = await say('cli', 'go on');
    expect(next).toContain(`result of ${asked.name}`);
    expect(next).toMatch(/was allowed by the operator/);
    await expectRan(asked, true);
    await expect(world.bridge.command('deny', asked.code)).rejects.toThrow(/Already answered/);
  });

  test('is denied by the operator, with a reason', async () => {
    const asked = await ask('cli', kind);
    await world.bridge.command('deny', asked.code, '--reason', 'not on this machine');
    await turnOver(asked.code);
    expect(await say('cli', 'go on')).toContain('not on this machine');
    await expectRan(asked, false);
    expect(await say('cli', `yes ${asked.code}`)).toMatch(/Already answered.*denied by the operator/);
  });

  test('is allowed by a key press in the terminal: nobody else is asked any more', async () => {
    const asked = await ask('keys', kind);
    // The first choice of a plan's dialog leaves manual mode.
    await operator.press(
      'keys',
      dialog[kind],
      kind === 'AskUserQuestion' || kind === 'ExitPlanMode' ? '2' : '1',
    );
    await settled(asked.code);
    const next = await say('keys', 'go on');
    expect(next).toMatch(/was closed: .*in Claude's terminal/);
    expect(next).toContain(`result of ${asked.name}`);
    await expectRan(asked, true);
    expect(await settled(asked.code)).toMatchObject({ outcome: 'superseded' });
    expect(rowsOf(asked.code).map(({ event }) => event.type)).not.toContain('permission.decided');
  });

  test('is declined by Esc in the terminal: a late yes changes nothing', async () => {
    const asked = await ask('keys', kind);
    await operator.press('keys', dialog[kind], '\x1b');
    await turnOver(asked.code);
    expect(await settled(asked.code)).toMatchObject({ outcome: 'superseded' });
    expect(await say('keys', `yes ${asked.code}`)).toMatch(/Already answered.*declined in Claude's terminal/);
    await expectRan(asked, false);
  });
});

/** A line of the dialog that nothing else on the screen shows. */
const dialog: Record<ToolKind, string> = {
  Bash: 'Do you want to proceed?',
  Write: 'Do you want to create',
  Edit: 'Do you want to make this edit',
  MCP: 'Do you want to proceed?',
  WebFetch: 'Do you want to allow Claude to fetch this content?',
  AskUserQuestion: 'Enter to select',
  ExitPlanMode: 'Would you like to proceed?',
};

test('an approved plan does not leave manual mode', async () => {
  const plan = await ask('plan', 'ExitPlanMode');
  await say('plan', `yes ${plan.code}`);
  const after = await ask('plan', 'Bash');
  expect(await say('plan', `no ${after.code}`)).toContain('Denied by the user');
});

test('allowed for the session, it is not asked again, and no settings file is written', async () => {
  const first = await ask('scope', 'WebFetch');
  await world.bridge.command('approve', first.code, '--scope', 'session');
  await turnOver(first.code);
  expect(await say('scope', 'go WebFetch again')).toContain('result of again');
  expect(existsSync(join(world.cwd, '.claude'))).toBe(false);
  const other = await ask('scope', 'Bash');
  await say('scope', `no ${other.code}`);
});

test('a yes in the terminal is known when its tool has run, and not before', async () => {
  world.api.on('take your time', (answer, { toolResults }) => {
    if (toolResults.length > 0) answer.text('took it');
    else answer.tool('Bash', { command: 'touch slow.txt; sleep 4; touch slow2.txt', description: 'Wait' });
  });
  const question = await say('long', 'take your time');
  const code = /`yes ([a-km-z]{5})/.exec(question)?.[1] ?? '';
  await operator.press('long', dialog.Bash, '1');
  expect(await settled(code)).toMatchObject({
    outcome: 'superseded',
    detail: "allowed in Claude's terminal, the tool ran",
  });
  expect(activity(code).map(({ event }) => event.phase)).toEqual(['started', 'succeeded']);
  expect(await say('long', 'and?')).toContain('took it');
});

describe('a question over a restart', () => {
  test('stays open when the bridge is killed, and its code answers it', async () => {
    const asked = await ask('restart', 'Bash');
    const file = join(world.home.path, '.config/synthesis/config.json');
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, JSON.stringify({ timeouts: { permissionMs: 1500 } }));
    await operator[Symbol.asyncDispose]();
    await world.crash();
    operator = await OperatorSocket.open(stateDirOf(world.home.path));
    const rest = await say('restart', `yes ${asked.code}`);
    expect(rest).toContain(`result of ${asked.name}`);
    await expectRan(asked, true);
    expect(await settled(asked.code)).toMatchObject({ outcome: 'applied' });
  });

  test('is denied when its time is over: Claude and the chat are told', async () => {
    const asked = await ask('expiry', 'Bash');
    await turnOver(asked.code);
    expect(last(asked.code, 'permission.decided')).toMatchObject({ verdict: 'deny', by: 'expiry' });
    const next = await say('expiry', 'go on');
    expect(next).toContain('was denied because nobody answered in time');
    expect(next).toContain('Denied: nobody answered in time.');
    await expectRan(asked, false);
  });
});
