// Two machines, each with a bridge of its own, that are one for people and for clients.
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { natsTest as test } from '../../support/nats-test.ts';
import { atTerminal } from '../support/at-terminal.ts';
import { Nodes } from '../support/nodes.ts';
import type { RunningBridge } from '../support/program.ts';
import { Tui } from '../support/tui.ts';

let nodes: Nodes;
let mac: RunningBridge;
let box: RunningBridge;

beforeAll(async () => {
  nodes = await Nodes.met(['mac', 'box']);
  [mac, box] = [nodes.bridge('mac'), nodes.bridge('box')];
  await mac.ask('work', 'hello');
});

afterAll(() => nodes[Symbol.asyncDispose]());

const onBox = (...args: string[]) => nodes.command('box', ...args);

/** Pieces of an answer as they come. */
async function* pieces(bridge: RunningBridge, key: string, content: string) {
  const stream = await bridge
    .client(key)
    .chat.completions.create({ model: 'claude', stream: true, messages: [{ role: 'user', content }] });
  for await (const { choices } of stream) yield choices[0]?.delta.content ?? '';
}

async function allOf(source: AsyncIterable<string>): Promise<string> {
  let text = '';
  for await (const piece of source) text += piece;
  return text;
}

describe('each port leads to a conversation', () => {
  test('that lives where it began', async () => {
    expect(await box.ask('work', '[[recall]]')).toContain('hello');
    expect(box.lines.some(({ session }) => session === 'work')).toBe(false);
  });

  test('in a stream, piece by piece', async () => {
    const script = '[[say:one|two|three]][[lines:40]]';
    const texts = [];
    for (const bridge of [mac, box]) texts.push(await allOf(pieces(bridge, 'work', script)));
    expect(texts[1]).toBe(texts[0]);
    expect(texts[1]).toContain('Line 40');
    // Claude never comes to an end, so whatever comes came before it.
    const hanging = pieces(box, 'work', '[[say:one|two]][[hang]]');
    let text = '';
    while (!text.includes('one')) text += (await hanging.next()).value ?? text;
    expect(await onBox('interrupt', 'work')).toMatchObject({ code: 0 });
    text += await allOf(hanging);
    expect(text).toMatch(/^one\n.*was interrupted/s);
  });

  test('that is on its way', async () => {
    await mac.ask('warm', 'hello');
    const { baseURL, apiKey } = box.client('unused');
    const warm = async (key: string) => {
      const headers = { authorization: `Bearer ${apiKey}`, 'x-synthesis-session': key };
      return (await fetch(`${baseURL}/warm`, { method: 'POST', headers })).json();
    };
    expect(await warm('warm')).toMatchObject({ session: 'warm', why: 'running' });
    expect(box.lines.some(({ session }) => session === 'warm')).toBe(false);
  });
});

describe('an operator on one machine', () => {
  test('sees and moves what lives on the other, with and without its name', async () => {
    const said: [RegExp, ...string[]][] = [
      [/key +work\n.*hello/s, 'inspect', 'work'],
      [/You said: \[operator\] again/, 'send', 'work', 'again'],
      [/message: again/, 'logs', 'work'],
      [/work is idle/, 'wait', 'work'],
      [/Nothing is running in "work"/, 'interrupt', 'work'],
    ];
    for (const [words, ...args] of said)
      for (const where of [[], ['--node', 'mac']]) {
        const { stdout, stderr } = await onBox(...args, ...where);
        expect(`${stdout}${stderr}`, `${args} ${where}`).toMatch(words);
      }
    expect((await onBox('rename', 'work', 'Workshop')).code).toBe(0);
    expect(await nodes.json('mac', 'inspect', 'Workshop')).toMatchObject({ key: 'work' });
    expect((await onBox('rename', 'Workshop', '--clear')).code).toBe(0);
  });

  test('sees all of them in one list, or those of one', async () => {
    await box.ask('home', 'hello');
    const rows = await nodes.json<{ key: string; node: string }[]>('box', 'ps');
    expect(rows.map(({ key, node }) => `${key} on ${node}`).sort()).toEqual([
      'home on box',
      'warm on mac',
      'work on mac',
    ]);
    const { stdout } = await onBox('ps');
    expect(stdout).toMatch(/SESSION +NODE +STATE/);
    expect(stdout).toMatch(/work +mac +idle/);
    const one = await nodes.json<{ key: string; node?: string }[]>('mac', 'ps', '--node', 'box');
    expect(one.map(({ key, node }) => [key, node])).toEqual([['home', undefined]]);
    const own = await nodes.json<{ key: string }[]>('box', 'ps', '--node', 'box');
    expect(own.map(({ key }) => key)).toEqual(['home']);
  });

  test('is told of names that nobody has, and of conversations that live elsewhere', async () => {
    expect(await onBox('ps', '--node', 'mca')).toMatchObject({
      code: 4,
      stderr: expect.stringContaining('There is no node "mca" in the cluster.\nThese are known: box, mac.'),
    });
    expect(await onBox('inspect', 'nobody')).toMatchObject({
      code: 4,
      stderr: expect.stringContaining('There is no session "nobody". Nor is it known on mac.'),
    });
    expect(await onBox('approve', 'abcde')).toMatchObject({
      code: 4,
      stderr: expect.stringContaining('Nor is it known on mac.'),
    });
    expect(await onBox('send', '--create', 'work', 'hello')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('Say `--node mac` to reach it.'),
    });
  });

  test('answers a question of the other, and of two who do one is heard', async () => {
    await mac.ask('work', '[[bash:make deploy]]');
    const asks = await nodes.json<{ code: string; node: string }[]>('box', 'approvals');
    expect(asks).toMatchObject([{ session: 'work', node: 'mac' }]);
    expect((await onBox('approvals')).stdout).toContain('work on mac');
    const code = asks[0]?.code ?? '';
    const both = await Promise.all(['box', 'mac'].map((name) => nodes.command(name, 'approve', code)));
    expect(both.map((ran) => ran.code).sort()).toEqual([0, 1]);
    expect(both.find((ran) => ran.code === 1)?.stderr).toContain('Already answered');
    expect(mac.lines.filter((row) => row.event === 'permission.decided' && row.code === code)).toHaveLength(
      1,
    );
    expect(await nodes.json('box', 'approvals')).toEqual([]);
  });

  test("watches the other's conversation on the screen, in Claude's own terminal, and as lines", async () => {
    const attach = (...args: string[]) => {
      const { state } = nodes.home('box');
      return new Tui(['attach', ...args, '--state-dir', state], nodes.home('box').env({ TZ: 'UTC' }), 80, 24);
    };
    await using screen = attach('work');
    await screen.shows('▸ work');
    await using terminal = attach('work', '--terminal');
    await terminal.shows('ctrl-p ctrl-q detaches');
    await using lines = new Tui(
      ['logs', 'work', '-f', '--state-dir', nodes.home('box').state],
      nodes.home('box').env(),
      80,
      24,
    );
    await lines.shows('completed');
    await mac.ask('work', 'a word from mac');
    for (const each of [screen, terminal, lines]) await each.shows('a word from mac');
    screen.type('m');
    screen.type('a word from box\r');
    for (const each of [screen, terminal, lines]) await each.shows('a word from box');
    terminal.type('\x10\x11');
    expect(await terminal.exited()).toBe(0);
    screen.type('q');
    expect(await screen.exited()).toBe(0);
  });
});

test('what stops one stops all, and what lets it go on, too; many messages at once are all answered meanwhile', async () => {
  expect(await nodes.command('mac', 'panic')).toMatchObject({
    code: 0,
    stderr: expect.stringContaining('Everything is stopped on box, too.'),
  });
  // Of strangers, which all connections are at first, a bridge lets no more than 64 wait.
  for (let round = 1; round <= 4; round += 1) {
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, n) => box.ask('work', `${round}, ${n}`)),
    );
    expect(answers.filter((text) => !text.includes('The operator stopped everything'))).toEqual([]);
  }
  expect(await box.ask('home', 'hello')).toContain('The operator stopped everything');
  const resume = async () => (await atTerminal(nodes.home('box'), ['resume', '-y'])).text;
  expect(await resume()).toMatch(/Work goes on\..*Work goes on on mac, too\./s);
  expect(await resume()).toMatch(/Nothing is stopped\.\r\nNothing is stopped on mac\./);
});

test('what is removed on one begins anew on the one that its next message reaches', async () => {
  expect((await onBox('rm', 'work')).code).toBe(0);
  expect(await box.ask('work', '[[recall]]')).not.toContain('hello');
  const rows = await nodes.json<{ key: string; node: string }[]>('mac', 'ps');
  expect(rows.filter(({ key }) => key === 'work')).toMatchObject([{ node: 'box' }]);
  expect(await mac.ask('work', '[[recall]]')).toContain('recall');
});
