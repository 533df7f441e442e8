// Machines of a cluster that go away, meet too late, or have one name; and nats-servers that are not there.
import { describe, expect } from 'vitest';
import { natsTest as test } from '../../support/nats-test.ts';
import { until } from '../../support/until.ts';
import { atTerminal } from '../support/at-terminal.ts';
import { Nodes } from '../support/nodes.ts';

const lines = (count: number) => Array.from({ length: count }, (_, at) => `Line ${at + 1}`).join('\n');

/** Says lines for about two seconds, a few at a time. */
const script = `${Array.from({ length: 20 }, () => '[[lines:5]][[wait:100]]').join('')}[[say:over]]`;

test.concurrent('a node that is killed takes the answers that it was giving along, and is refused in words until it is back', async () => {
  await using nodes = await Nodes.met(['mac', 'box']);
  const [mac, box] = [nodes.bridge('mac'), nodes.bridge('box')];
  await mac.ask('work', 'hello');
  // Whoever reads it must not be told that nothing was taken.
  const broken = box.ask('work', '[[hang]]').catch((error: Error) => error.name);
  await until('the turn', () => mac.lines.filter(({ event }) => event === 'turn.running').length === 2);
  await mac.kill();
  expect(await box.ask('work', 'hello')).toContain('This conversation lives on mac, which is away.');
  expect(await box.ask('other', 'hello')).toContain('hello');
  const listed = await nodes.command('box', 'ps', '--check');
  expect(listed).toMatchObject({
    code: 7,
    stderr: expect.stringMatching(/mac.*What lives there is not shown/),
  });
  expect(listed.stdout).toMatch(/other +box/);
  for (const args of [
    ['ps', '--node', 'mac'],
    ['send', 'work', 'hello', '--node', 'mac'],
  ])
    expect(await nodes.command('box', ...args)).toMatchObject({
      code: 6,
      stderr: expect.stringContaining('Node "mac" does not answer'),
    });
  expect(await nodes.command('box', 'panic')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('mac was not told.'),
  });
  await atTerminal(nodes.home('box'), ['resume', '-y']);
  // Without a bridge nothing leads to another machine, and what can be done here is done.
  expect(await nodes.command('mac', 'ps', '--node', 'box')).toMatchObject({
    code: 6,
    stderr: expect.stringContaining('It would lead to box.'),
  });
  expect(await nodes.json('mac', 'panic')).toMatchObject({
    kept: true,
    running: false,
    nodes: [{ node: '*' }],
  });
  expect((await atTerminal(nodes.home('mac'), ['resume', '-y'])).text).toContain('Work goes on.');
  expect(await broken).not.toMatch(/not taken/);
  await nodes.begin('mac');
  await nodes.command('mac', 'interrupt', 'work');
  const isBack = async () => (await box.ask('work', '[[recall]]')).includes('hello');
  await until('mac to answer again', isBack);
  // One that goes in order says its last words first.
  const running = () => nodes.bridge('mac').lines.filter(({ event }) => event === 'turn.running').length;
  const before = running();
  const last = box.ask('work', '[[say:one|two]][[hang]]');
  await until('the turn', () => running() > before);
  await nodes.bridge('mac').end();
  expect(await last).toContain('The bridge is being shut down.');
  await nodes.sees('box', 'stopped', 1);
  expect((await nodes.command('box', 'ps', '--check')).code).toBe(0);
});

const doctor = async (nodes: Nodes) => (await nodes.json<{ checks: object[] }>('mac', 'doctor')).checks;

describe.concurrent('servers', () => {
  test('that are away when a bridge starts, or go: what is here goes on, what is new is refused in words, and all is well when they are back', async () => {
    await using nodes = await Nodes.met(['mac', 'box']);
    const [server] = nodes.servers.all;
    await nodes.bridge('mac').ask('work', 'hello');
    await nodes.bridge('mac').end();
    await server?.kill();
    await nodes.begin('mac');
    const [mac, box] = [nodes.bridge('mac'), nodes.bridge('box')];
    expect(await mac.ask('work', '[[recall]]')).toContain('hello');
    const refused = 'Where this conversation lives cannot be found out now';
    expect(
      await Promise.all([mac.ask('new', 'hello'), box.ask('new', 'hello'), box.ask('work', 'hello')]),
    ).toEqual(Array(3).fill(expect.stringContaining(refused)));
    for (const name of ['mac', 'box']) {
      const { code, stderr } = await nodes.command(name, 'cluster', 'status');
      expect([code, stderr]).toEqual([7, expect.stringContaining('not connected')]);
      const listed = (await nodes.command(name, 'ps')).stderr;
      expect(listed).toContain('No other node can be reached');
      expect(listed).toContain('What lives here goes on');
      expect(listed).not.toContain('..');
    }
    const suggestion = expect.stringContaining('cluster status');
    expect(await doctor(nodes)).toContainEqual(
      expect.objectContaining({ name: 'cluster_unreachable', suggestion }),
    );
    expect(await nodes.command('mac', 'send', '--create', 'new', 'hello')).toMatchObject({
      code: 1,
      stderr: suggestion,
    });
    await server?.start();
    for (const name of ['mac', 'box']) await nodes.sees(name, 'alive', 1);
    expect(await box.ask('work', '[[recall]]')).toContain('hello');
    // Gone for a moment: nobody notices.
    await server?.kill();
    const early = [box.ask('fresh', 'hello'), box.ask('work', 'hello again')];
    await server?.start();
    for (const answer of await Promise.all(early)) expect(answer).toContain('You said: [user] hello');
  });

  test('of which one of three is killed: an answer through the wrong node loses nothing', async () => {
    await using nodes = await Nodes.met(['mac', 'box'], 3);
    const [mac, box] = [nodes.bridge('mac'), nodes.bridge('box')];
    await mac.ask('work', 'hello');
    const answer = box.ask('work', script);
    await until('the turn', () => mac.lines.filter(({ event }) => event === 'turn.running').length === 2);
    const { server } = await nodes.json<{ server: string }>('box', 'cluster', 'status');
    const index = nodes.servers.all.findIndex(({ port }) => server.endsWith(`:${port}`));
    const used = nodes.servers.all[index];
    await used?.kill();
    const during = box.ask('work', 'and now');
    expect(await answer).toContain(`${lines(5)}\nover`);
    expect((await answer).match(/Line 5/g)).toHaveLength(20);
    expect(await during).toContain('and now');
    // A new one needs a leader of the two that are left.
    await until('a new one', async () => (await box.ask('fresh', 'hello')).includes('You said'), 30_000);
    await nodes.kept('mac', { behind: [`n${index}`] });
    const words = `n${index} has not all that machines keep on the nats-servers.`;
    expect(await nodes.command('mac', 'cluster', 'status')).toMatchObject({
      code: 7,
      stderr: expect.stringContaining(words),
    });
    expect(await doctor(nodes)).toContainEqual(
      expect.objectContaining({ name: 'nats', status: 'warning', message: words }),
    );
    await used?.start();
    await nodes.kept('mac', { behind: [] });
    expect((await nodes.command('mac', 'cluster', 'status')).code).toBe(0);
    expect(await doctor(nodes)).toContainEqual(
      expect.objectContaining({
        name: 'nats',
        status: 'ok',
        message: expect.stringContaining('n0, n1 and n2'),
      }),
    );
    // Who comes back to one of three alone does not know who else there is, and does not speak as if it did.
    await mac.end();
    for (const each of nodes.servers.all.slice(0, 2)) await each.kill();
    await nodes.begin('mac');
    const doubt = expect.stringMatching(/No other node can be reached|There may be nodes that are not known/);
    for (const args of [
      ['ps', '--check'],
      ['ps', '--node', 'box'],
      ['cluster', 'move', 'work', 'box'],
      ['inspect', 'fresh'],
      ['panic'],
    ])
      expect(await nodes.command('mac', ...args)).toMatchObject({
        code: expect.not.toSatisfy((code) => code === 0),
        stderr: doubt,
      });
    const drained = await nodes.json<{ left: object[] }>('mac', 'cluster', 'drain');
    expect(drained.left).toContainEqual({
      session: 'work',
      words: expect.stringContaining('no other node is known here now'),
    });
  });
});

describe.concurrent('machines that are not as they should be', () => {
  test('with one name: the later one has it, the earlier one says so and answers for it no more', async () => {
    await using nodes = await Nodes.met(['mac', 'box']);
    await nodes.bridge('mac').ask('work', 'hello');
    await nodes.begin('copy', 'mac');
    await until(
      'the words of the earlier one',
      async () =>
        (await nodes.command('mac', 'cluster', 'status')).stderr.includes(
          'Another bridge runs as node "mac"',
        ),
      30_000,
    );
    expect(await nodes.bridge('mac').ask('fresh', 'hello')).toContain('Another bridge runs as node "mac"');
    expect((await nodes.command('mac', 'ps')).stderr).toContain('Another bridge runs as node "mac"');
    expect(await nodes.bridge('box').ask('work', '[[recall]]')).not.toContain('hello');
    expect((await nodes.command('copy', 'ps')).stdout).toMatch(/work +mac/);
  });

  test('whose conversations have met too late: one of two goes on, and the other when that is removed', async () => {
    await using nodes = await Nodes.none();
    for (const name of ['mac', 'box']) {
      await nodes.begin(name, null);
      await nodes.bridge(name).ask('twin', `hello from ${name}`);
      await nodes.bridge(name).end();
    }
    await nodes.begin('mac');
    await until(
      'its claim',
      async () =>
        (await nodes.json<{ state: string; reason: null }>('mac', 'cluster', 'status')).reason === null,
    );
    await nodes.begin('box');
    await nodes.sees('box', 'alive', 1);
    const box = nodes.bridge('box');
    await until('the notice', async () =>
      (await nodes.command('box', 'ps')).stderr.includes('twin (on mac)'),
    );
    expect(await box.ask('twin', '[[recall]]')).toContain('hello from mac');
    expect(await nodes.command('box', 'send', 'twin', 'hello')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('lives on node mac'),
    });
    expect((await nodes.command('box', 'rm', 'twin', '--node', 'mac')).code).toBe(0);
    expect(await box.ask('twin', '[[recall]]')).toContain('hello from box');
    expect((await nodes.command('box', 'ps')).stderr).not.toContain('twin');
    expect(await nodes.bridge('mac').ask('twin', '[[recall]]')).toContain('hello from box');
  });
});
