// The operator's screen over all machines of a cluster, from one of them.
import { expect } from 'vitest';
import { natsTest as test } from '../../support/nats-test.ts';
import { until } from '../../support/until.ts';
import { Nodes } from '../support/nodes.ts';
import { Tui } from '../support/tui.ts';

const attach = (nodes: Nodes, name: string, ...args: string[]): Tui =>
  new Tui(
    ['attach', ...args, '--state-dir', nodes.home(name).state],
    nodes.home(name).env({ TZ: 'UTC' }),
    110,
    34,
  );

test.concurrent('what lives on another machine is watched, answered and written to; that machine dies and comes back', async () => {
  await using nodes = await Nodes.met(['mac', 'box']);
  await nodes.bridge('mac').ask('work', 'one');
  await nodes.bridge('box').ask('home', 'two');
  await using tui = attach(nodes, 'mac');
  await tui.shows('2 nodes');
  await tui.shows(/work +mac +● idle/);
  await tui.shows(/home +box +● idle/);
  await tui.shows(/2 sessions · 0 working/);

  nodes.bridge('box').says('home', '[[bash:echo deployed]]');
  await tui.shows('1 to answer');
  tui.type('p');
  await tui.shows('session  home  on box');
  await tui.shows('│ echo deployed');
  tui.type('a');
  await tui.shows('Allow it this once?');
  tui.type('\x19');
  await tui.shows(/\w{5} allowed/);
  await tui.shows('✓ Bash');
  tui.type('m');
  await tui.shows('Message to home');
  tui.type('hello from mac\r');
  await tui.shows('You said: [operator] hello from mac');
  tui.type('3');
  await tui.shows(/answer\.delta +box +home/);
  tui.type('2t');
  await tui.shows('ctrl-p ctrl-q detaches');
  tui.type('\x10\x11');
  await tui.shows('1 Sessions');

  await nodes.kill('box');
  await tui.shows('○ box away');
  await tui.shows(/home +box .*box: away/);
  tui.type('mare you there?\r');
  await tui.shows('box cannot be reached. Nothing was done.');
  await nodes.begin('box');
  await tui.shows('2 nodes');
  await tui.hides('box: away');
  // What was refused is still there to be sent.
  tui.type('m');
  await tui.shows('❯ are you there?');
  tui.type('\r');
  await tui.shows('You said: [operator] are you there?');

  tui.type('!y');
  await tui.shows('ALL STOPPED');
  for (const name of ['mac', 'box'])
    expect((await nodes.command(name, 'panic', '--node', name)).stderr).toContain(
      'Nothing has gone on since',
    );
  tui.type('Uy');
  await tui.hides('ALL STOPPED');

  // It is brought here, from under the cursor.
  await tui.shows(/▸ home +box /);
  expect(await nodes.command('mac', 'cluster', 'move', 'home', 'mac')).toMatchObject({ code: 0 });
  await tui.shows(/▸ home +mac /);
  await nodes.begin('tower');
  await tui.shows('3 nodes');
  await nodes.bridge('tower').ask('third', 'three');
  await tui.shows(/third +tower /);
});

test.concurrent('one that lives elsewhere is chosen, and one machine alone is shown as ever', async () => {
  await using nodes = await Nodes.met(['mac', 'box']);
  await nodes.bridge('mac').ask('homework', 'one');
  await nodes.bridge('box').ask('home', 'two');
  await nodes.bridge('mac').ask('other', 'three');
  await using chosen = attach(nodes, 'mac', 'home', '--node', 'box');
  await chosen.shows('You said: [user] two');
  expect(chosen.screen).not.toContain('NODE');
  expect(chosen.screen).not.toContain('homework');
  await using all = attach(nodes, 'box', 'homew');
  await all.shows(/▸ homework +mac /);
  await all.shows('You said: [user] one');
  await all.shows(/ home +box /);
  await using none = attach(nodes, 'mac', 'nobody');
  expect(await none.exited()).toBe(4);
  await none.shows('Nor is it known on box');
});

test.concurrent('without a terminal it prints what happens on all machines from now on, with the name of each', async () => {
  await using nodes = await Nodes.met(['mac', 'box']);
  await nodes.bridge('box').ask('home', 'before');
  await using lines = attach(nodes, 'mac', '--json');
  for (const [name, session] of [
    ['mac', 'work'],
    ['box', 'home'],
  ] as const) {
    // It has begun to follow a machine once it shows a row of it.
    await until(`a row of ${name}`, async () => {
      await nodes.bridge(name).ask(session, `now on ${name}`);
      return lines.raw.replaceAll('\r\n', '').includes(`"node":"${name}"`);
    });
  }
  expect(lines.raw).not.toContain('before');
});
