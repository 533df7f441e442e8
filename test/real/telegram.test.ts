// What a person on Telegram sees, with the real gateway and the simulated Claude.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { toldAgain } from '../domain/question/ask-of.ts';
import { until } from '../support/until.ts';
import type { Chat } from './support/bot-api.ts';
import { alice, bob, direct, group, TelegramWorld } from './support/telegram-world.ts';

const main = 'agent:main:main';

let world: TelegramWorld;
beforeAll(async () => {
  const policy = [{ tool: 'exec', decision: 'allow' }];
  const approvers = [`telegram:${alice.id}`];
  world = await TelegramWorld.start('telegram', [], { config: { approvers, policy } });
});
afterAll(() => world?.[Symbol.asyncDispose]());

test('a direct message is answered in the chat', async () => {
  // A message is shown as it grows: what is looked for is its end.
  const { text } = await world.ask('good morning', 'I remember 0 earlier messages.');
  expect(text).toMatch(/You said: .*good morning/);
  await world.reaches(main, 'idle');
  expect(await world.sessions()).toMatchObject([{ key: main, state: 'idle' }]);
});

/** A red pixel. */
const picture = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==',
  'base64',
);

test('a photo with a caption reaches Claude as words and a file it can read', async () => {
  const before = world.telegram.mark;
  world.telegram.photo(direct, alice, 'what is on it?', picture);
  const { text } = await world.telegram.answer(direct, 'You said:', before);
  expect(text).toContain('what is on it?');
  const path = /(\/\S+\.(?:png|jpg))/.exec(text)?.[1] ?? '';
  expect(existsSync(path)).toBe(true);
  // Not where OpenClaw put it, which Claude would have to ask about.
  expect(path).toContain(join(world.bridge.stateDir, 'media'));
  expect(text).not.toContain('.openclaw');
});

test('a group has a Claude of its own, which is told who writes and nothing twice', async () => {
  world.telegram.write(group, bob, 'hello everybody');
  const first = await world.telegram.answer(group, 'I remember 0 earlier messages.');
  expect(first.text).toContain(`[Bob (telegram:${bob.id})] hello everybody`);
  world.telegram.write(group, alice, 'hello bob');
  const second = await world.telegram.answer(group, 'I remember 1 earlier message.', first.id);
  expect(second.text).toContain(`[Alice (telegram:${alice.id})] hello bob`);
  expect(second.text).not.toContain('hello everybody');
  expect((await world.sessions()).map(({ key }) => key)).toEqual([
    main,
    `agent:main:telegram:group:${group.id}`,
  ]);
});

test('words written while a tool runs are answered after the tool’s result, once', async () => {
  const before = world.telegram.mark;
  const started = join(world.home.path, '.openclaw/workspace/started');
  const command = `touch ${started}; sleep 4; echo slow-result`;
  world.telegram.write(direct, alice, `[[tool:exec {"command":"${command}"}]]`);
  await until('the tool', () => existsSync(started), 20_000);
  world.telegram.write(direct, alice, 'and something else');
  await world.telegram.answer(direct, `You said: [Alice (telegram:${alice.id})] and something else`, before);
  const said = world.said(direct, before);
  expect(said).toContain('exec answered: slow-result');
  expect(said.indexOf('slow-result')).toBeLessThan(said.indexOf('and something else'));
  expect(said.match(/and something else/g)).toHaveLength(1);
});

test('a forwarded yes answers nothing', async () => {
  const asked = await world.ask('[[bash:echo forwarded-$((20+4))]]', 'Approve?');
  const code = /yes ([a-z]{5})/.exec(asked.text)?.[1];
  const before = world.telegram.mark;
  world.telegram.forward(direct, alice, `yes ${code}`, bob);
  await world.telegram.answer(direct, 'A forwarded message does not answer a question', before);
  await world.ask(`no ${code}`, 'Bash failed');
  expect(world.said(direct, before)).not.toContain('forwarded-24');
});

test('a permission question is answered in the chat, and the rest of the answer follows', async () => {
  const before = world.telegram.mark;
  const { text } = await world.ask('[[bash:echo allowed-$((40+2))]]', 'Approve?');
  expect(text).toContain('echo allowed-$((40+2))');
  const code = /yes ([a-z]{5})/.exec(text)?.[1];
  await world.ask('yes zzzzz', 'No open question has the code');
  await world.ask(`yes ${code}`, 'Bash answered: allowed-42');
  expect(world.said(direct, before).match(/allowed-42/g)).toHaveLength(1);
});

test.each([
  ['a fence that the answer leaves open', 'Look:\n```sh\nls'],
  ['a spoiler, a link and a comment', 'see ||this [and](http://b) <!-- that'],
  ['no answer', ''],
])('a hostile command is shown whole and as text, behind %s', async (_, answer) => {
  const command = 'echo shown\n```\n||<b>rm</b> *-rf* _x_||\n[a](http://b) <!-- `id` &lt; -->\n: the end';
  const say = answer === '' ? '' : `[[say:${answer}]]`;
  const before = world.telegram.mark;
  world.telegram.write(direct, alice, `${say}[[bash:${command}]]`);
  const { text } = await world.telegram.answer(direct, ': the end', before);
  const sent = world.telegram.calls.find(({ params }) => String(params.text).includes(': the end'))?.params;
  expect(sent?.parse_mode).toBe('HTML');
  // The block with the command is the last one; only entities stand in it, no tag.
  const [, html = ''] =
    /<pre><code[^>]*>((?:(?!<pre>)[\s\S])*)<\/code><\/pre>(?:(?!<pre>)[\s\S])*$/.exec(String(sent?.text)) ??
    [];
  expect(html).not.toContain('<');
  const entities: Record<string, string> = {
    '&lt;': '<',
    '&gt;': '>',
    '&quot;': '"',
    '&#39;': "'",
    '&amp;': '&',
  };
  const seen = html.replace(/&(?:lt|gt|quot|#39|amp);/g, (each) => entities[each] ?? each).trimEnd();
  expect(toldAgain(seen)).toBe(command);
  await world.ask(`no ${/yes ([a-z]{5})/.exec(text)?.[1]}`, 'Bash failed');
});

test('a question longer than a message is read part by part, and a yes before the last part changes nothing', async () => {
  const lines = Array.from({ length: 80 }, (_, at) => `: line ${at} of a long command that does nothing`);
  const first = await world.ask(`[[bash:${lines.join('\n')}\necho ran-$((20+3))]]`, 'show ');
  const code = /show ([a-z]{5}) 2/.exec(first.text)?.[1];
  expect(first.text).not.toContain('line 79');
  await world.ask(`yes ${code}`, 'Not all of this was shown here');
  for (let part = 2; part <= 4; part += 1) {
    const shown = await world.ask(`show ${code}`, `Part ${part} of`);
    if (shown.text.includes('Approve?')) break;
  }
  await world.ask(`yes ${code}`, 'Bash answered: ran-23');
});

test('/stop interrupts Claude, and the next answer says so', async () => {
  world.telegram.write(direct, alice, '[[say:starting]][[wait:120000]]');
  await world.reaches(main, 'working');
  world.telegram.write(direct, alice, '/stop');
  await world.reaches(main, 'idle');
  const { text } = await world.ask('are you there?', 'are you there?');
  expect(text).toContain('was stopped');
});

test('/compact leaves Claude’s own memory alone', async () => {
  await world.ask('/compact', 'ompact');
  const { text } = await world.ask('still know me?', 'still know me?');
  expect(text).not.toContain('I remember 0 earlier');
});

test('/new starts Claude afresh under the same key', async () => {
  const before = await world.session(main);
  await world.ask('/new', 'ew session');
  const { text } = await world.ask('who am I?', 'I remember 0 earlier messages.');
  expect(text).toContain('who am I?');
  expect((await world.session(main))?.claude_session).not.toBe(before?.claude_session);
});

test('a heartbeat is answered without waking Claude, and nobody sees it', async () => {
  const mark = world.telegram.mark;
  const row = await world.reaches(main, 'idle');
  const last = async () => (await world.openclaw.run(['system', 'heartbeat', 'last', '--json'])).stdout;
  const beat = await until(
    'the heartbeat',
    async () => {
      await world.openclaw.run(['system', 'event', '--text', 'the build is done', '--mode', 'now']);
      const seen = await last();
      return !/null|requests-in-flight/.test(seen) && seen;
    },
    60_000,
  );
  expect(beat).toContain('ok-');
  expect(world.said(direct, mark)).toBe('');
  expect(await world.session(main)).toEqual(row);
});

test('a scheduled job has a Claude of its own, and its answer is delivered', async () => {
  const before = world.telegram.mark;
  const job = ['cron', 'add', '--name', 'daily', '--at', '2h', '--session', 'isolated', '--json'];
  const where = ['--announce', '--channel', 'telegram', '--to', String(alice.id)];
  const { stdout } = await world.openclaw.run([
    ...job,
    ...where,
    '--message',
    '[[say:It is noon.]][[bash:date]]',
  ]);
  await world.openclaw.run(['cron', 'run', (JSON.parse(stdout) as { id: string }).id]);
  // Nobody can be asked there: what needs permission is denied at once, with the reason.
  await world.telegram.answer(direct, /It is noon\.[\s\S]*unattended run/, before);
  expect((await world.sessions()).map(({ key }) => key)).toContainEqual(expect.stringContaining('cron'));
});

test('the chat keeps its Claude session through a restart of the gateway and of the bridge', async () => {
  await world.ask('the word is walnut', 'the word is walnut');
  const before = await world.session(main);
  await Promise.all([world.openclaw.restart(), world.bridge.crash()]);
  await world.ask('[[recall]]', /Earlier messages:[\s\S]*the word is walnut/);
  expect((await world.session(main))?.claude_session).toBe(before?.claude_session);
});

describe('with the plugin', () => {
  /** What the plugin said in the newest request that reached the bridge. */
  const told = () => {
    const { headers = {} } = world.proxy.seen.at(-1) ?? {};
    const ours = Object.entries(headers).filter(([name]) => name.startsWith('x-openclaw-'));
    return Object.fromEntries(
      ours.map(([name, value]) => [name.slice('x-openclaw-'.length), decodeURIComponent(String(value))]),
    );
  };

  test('a chat is told apart by its headers and keeps its Claude', async () => {
    const before = await world.session(main);
    expect(before).toMatchObject({ identity: 'cache_key' });
    await world.install('--with-plugin');
    const { text } = await world.ask('still there?', 'still there?');
    expect(text).not.toContain('I remember 0 earlier');
    const chat = { 'agent-id': 'main', channel: 'telegram', 'chat-id': String(direct.id) };
    expect(told()).toMatchObject({ ...chat, 'session-key': main, 'sender-id': '4242', trigger: 'user' });
    const { claude_session } = before ?? {};
    expect(await world.session(main)).toMatchObject({ identity: 'plugin', claude_session });
  });

  test('Claude Code is started when a message arrives, before OpenClaw asks for its answer', async () => {
    const shed: Chat = { id: -100888, type: 'supergroup', title: 'Shed' };
    const key = `agent:main:telegram:group:${shed.id}`;
    world.telegram.write(shed, alice, 'is anybody here?');
    await world.telegram.answer(shed, 'I remember 0 earlier messages.');
    const logged = await world.bridge.bridge.command('logs', key, '--json');
    const events = logged
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).event as string);
    expect(
      events.filter((event) => ['agent.wanted', 'agent.starting', 'turn.queued'].includes(event)),
    ).toEqual(['agent.wanted', 'agent.starting', 'turn.queued']);
  });

  test('in a group the sender of the message decides who may approve', async () => {
    const key = `agent:main:telegram:group:${group.id}`;
    const { mark } = world.telegram;
    world.telegram.write(group, bob, '[[bash:echo group-$((40+2))]]');
    const { text, id } = await world.telegram.answer(group, 'Approve?', mark);
    expect(told()).toMatchObject({ 'session-key': key, 'chat-id': String(group.id), 'sender-id': '9001' });
    const [, code] = /yes ([a-z]{5})/.exec(text) ?? [];
    world.telegram.write(group, bob, `yes ${code}`);
    await world.telegram.answer(group, 'You are not among the approvers', id);
    expect((await world.session(key))?.asking).toEqual([code]);
    world.telegram.write(group, alice, `yes ${code}`);
    await world.telegram.answer(group, 'Bash answered: group-42', id);
    expect(told()).toMatchObject({ 'sender-id': '4242' });
    expect(await world.session(key)).toMatchObject({ identity: 'plugin' });
  });

  test('a command line, a scheduled job, /compact and /new are what they were', async () => {
    await world.openclaw.agent('agent:main:other', 'from the command line');
    expect(told()).toMatchObject({ 'session-key': 'agent:main:other', trigger: 'user' });
    expect(told()).not.toHaveProperty('sender-id');
    const job = ['cron', 'add', '--name', 'tea', '--at', '2h', '--session', 'isolated', '--json'];
    const { stdout } = await world.openclaw.run([...job, '--message', '[[say:Tea.]]', '--no-deliver']);
    const mark = world.proxy.seen.length;
    await world.openclaw.run(['cron', 'run', (JSON.parse(stdout) as { id: string }).id]);
    await until('the job', () => world.proxy.seen.length > mark, 30_000);
    expect(told()).toMatchObject({ trigger: 'cron', 'session-key': expect.stringContaining(':cron:') });

    await world.ask('/compact', 'ompact');
    const { text } = await world.ask('still me?', 'still me?');
    expect(text).not.toContain('I remember 0 earlier');
    await world.ask('/new', 'ew session');
    const { text: fresh } = await world.ask('and now?', 'I remember 0 earlier messages.');
    expect(fresh).toContain('and now?');
  });
});
