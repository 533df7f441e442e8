// `rm` leaves no byte of a conversation that another machine could take over: not on this one, and not on the servers.
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { callBridge } from '../../../src/cli/client/control-client.ts';
import { filesWith } from '../../support/bytes-on-disk.ts';
import { natsTest as test } from '../../support/nats-test.ts';
import { until } from '../../support/until.ts';
import { Nodes } from '../support/nodes.ts';

const asked = 'Grüße an "Zwölf" 4711';
const answered = 'heliotrope-4712';
const pictured = 'a picture of 4713';
const remembered = 'cobalt-4714';
const named = 'Saffron 4715';
const texts = [asked, answered, pictured, remembered, named];

/** A machine with folders for what is temporary that nobody else has. */
async function begun(): Promise<Nodes & { tmp: string }> {
  const nodes = await Nodes.none(1, { cluster: { takeover: true, leaseSeconds: 3 } });
  const tmp = join(nodes.folder, 'tmp');
  const run = join(tmp, 'run');
  mkdirSync(run, { recursive: true, mode: 0o700 });
  await nodes.begin('mac', 'mac', { env: { TMPDIR: tmp, XDG_RUNTIME_DIR: run } });
  await nodes.sees('mac', 'alive', 0);
  return Object.assign(nodes, { tmp });
}

/** Everything on the disk but what Claude Code keeps for itself, which `rm` says it does not delete. */
function holders(nodes: Nodes & { tmp: string }, some: readonly string[] = texts): string[] {
  const { path } = nodes.home('mac');
  const own = readdirSync(path).filter((name) => name !== '.claude');
  return filesWith([...own.map((name) => join(path, name)), nodes.tmp, nodes.servers.folder], some);
}

async function tell(nodes: Nodes): Promise<void> {
  const picture = Buffer.from(`\x89PNG\r\n\x1a\n${pictured}`, 'latin1').toString('base64');
  const { memory } = await nodes.json<{ memory: string }>('mac', 'inspect', 'secret');
  mkdirSync(memory, { recursive: true, mode: 0o700 });
  writeFileSync(join(memory, 'notes.md'), remembered, { mode: 0o600 });
  await nodes.command('mac', 'rename', 'secret', named);
  await nodes
    .bridge('mac')
    .client('secret')
    .chat.completions.create({
      model: 'claude',
      messages: [
        {
          role: 'user',
          content: [
            { type: 'text', text: `${asked} [[say:${answered}]]` },
            { type: 'image_url', image_url: { url: `data:image/png;base64,${picture}` } },
          ],
        },
      ],
    });
}

test('after rm no byte of a conversation is on the disk of its machine or in the files of the servers', async () => {
  await using nodes = await begun();
  await nodes.bridge('mac').ask('other', 'something else');
  await nodes.bridge('mac').ask('secret', 'hello');
  await tell(nodes);
  for (const text of texts)
    expect([text, holders(nodes, [text])]).toEqual([text, expect.arrayContaining([expect.any(String)])]);
  // What the machine is told of, and writes anew, as the next one that has it.
  await nodes.bridge('mac').end();
  await nodes.begin('mac');
  expect(await nodes.bridge('mac').ask('secret', '[[recall]]')).toContain('Zwölf');
  const onServers = () => filesWith([nodes.servers.folder], [asked, answered, remembered, named]);
  expect(onServers()).not.toEqual([]);

  const removed = await nodes.command('mac', 'rm', 'secret');
  expect(removed.stdout + removed.stderr).toContain('Removed secret. Its text is deleted.');
  await until('no file to hold it', () => holders(nodes).length === 0, 20_000).catch(() => {});
  expect(holders(nodes)).toEqual([]);
  expect(await nodes.bridge('mac').ask('other', '[[recall]]')).toContain('something else');
});

test.for(['the same bridge', 'the next one'])(
  'what is removed while the servers are away is erased by %s once they are back, and stays removed',
  async (who) => {
    await using nodes = await begun();
    const [server] = nodes.servers.all;
    await nodes.bridge('mac').ask('secret', 'hello');
    await tell(nodes);
    const onServers = () => filesWith([nodes.servers.folder], texts);
    expect(onServers()).not.toEqual([]);
    await server?.kill();
    const removed = await nodes.command('mac', 'rm', 'secret');
    expect(removed.code).toBe(0);
    expect(removed.stdout + removed.stderr).toMatch(
      /Removed secret\. Its text is deleted\..* The nats-servers still have it: .* as soon as they can be reached/,
    );
    const findings = async () => {
      const { health } = await callBridge(nodes.home('mac').state, 'bridge.status', {});
      return health.filter(({ code }) => code === 'not_erased').map(({ words }) => words);
    };
    expect(await findings()).toEqual([expect.stringContaining('1 removed conversation')]);
    if (who === 'the next one') {
      await nodes.bridge('mac').kill();
      await nodes.begin('mac');
      expect(await findings()).toEqual([expect.stringContaining('1 removed conversation')]);
    }
    expect(onServers()).not.toEqual([]);
    await server?.start();
    await until('no file to hold it', () => holders(nodes).length === 0, 30_000).catch(() => {});
    expect(holders(nodes)).toEqual([]);
    await until('nothing to be left to do', async () => (await findings()).length === 0, 10_000);
    expect((await nodes.command('mac', 'inspect', 'secret')).code).toBe(4);
    expect(await nodes.bridge('mac').ask('secret', 'who are you?')).toContain('You said');
    expect(Object.keys(await nodes.homes('mac'))).toEqual(['secret']);
  },
);

test('rm names the server of three that was away, and may keep what it has of the conversation', async () => {
  await using nodes = await Nodes.met(['mac'], 3, { cluster: { takeover: true, leaseSeconds: 15 } });
  for (const name of ['first', 'second']) await nodes.bridge('mac').ask(name, answered);
  await nodes.kept('mac', { behind: [] });
  const whole = await nodes.json<object>('mac', 'rm', 'first');
  expect(whole).toMatchObject({ text: 'deleted', servers: 'erased', servers_behind: [] });
  await nodes.servers.all[2]?.kill();
  await nodes.kept('mac', { behind: ['n2'] });
  const removed = await nodes.command('mac', 'rm', 'second');
  expect(removed.stdout + removed.stderr).toContain(
    'Its text was erased on the nats-servers that are there. n2 is away or behind, and may keep it',
  );
});
