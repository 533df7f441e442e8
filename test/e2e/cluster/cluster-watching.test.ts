// Costs, and what happens, on all machines from any of them.
import { expect } from 'vitest';
import type { CostReport } from '../../../src/domain/views/cost-report.ts';
import { natsTest as test } from '../../support/nats-test.ts';
import { until } from '../../support/until.ts';
import { Nodes } from '../support/nodes.ts';
import { Tui } from '../support/tui.ts';

/** Lines as they are shown, without their time and after the machine's own. */
const told = (stdout: string) =>
  stdout
    .split('\n')
    .filter((line) => line.includes('message: '))
    .map((line) => line.slice(10));

test('what was spent and what happened is shown of all machines, and who is away is named', async () => {
  await using nodes = await Nodes.met(['mac', 'box'], undefined, { env: { SIM_TURN_USD: '0.25' } });
  const [mac, box] = [nodes.bridge('mac'), nodes.bridge('box')];
  await mac.ask('work', 'one');
  await box.ask('home', 'two');
  await mac.ask('work', 'three');

  const costs = (...args: string[]) => nodes.json<CostReport>('box', 'cost', ...args);
  const report = await until('all costs', async () => {
    const found = await costs();
    return found.usd === 0.75 ? found : undefined;
  });
  expect(report.sessions.map(({ key, node, usd }) => `${key} on ${node}: ${usd}`).sort()).toEqual([
    'home on box: 0.25',
    'work on mac: 0.5',
  ]);
  expect((await nodes.command('box', 'cost')).stdout).toMatch(
    /^ID +COST +NODE +KEY\n\w+ +\$0\.50 +mac +work\n\w+ +\$0\.25 +box +home\n/,
  );
  // Named ones may live on different machines.
  expect((await costs('home', 'work', 'work')).usd).toBe(0.75);
  expect((await costs('--node', 'mac')).sessions).toMatchObject([{ key: 'work', usd: 0.5 }]);

  const logs = (...args: string[]) => nodes.command('box', 'logs', ...args);
  const all = ['mac  work  message: one', 'box  home  message: two', 'mac  work  message: three'];
  expect(told((await logs()).stdout)).toEqual(all);
  expect((await logs('--tail', '3')).stdout.split('\n')).toHaveLength(3);
  expect(told((await logs('--node', 'mac')).stdout)).toEqual(['work  message: one', 'work  message: three']);
  const rows = (await logs('--json', '--tail', '2')).stdout.split('\n').map((line) => JSON.parse(line));
  expect(rows.every(({ node }) => node === 'mac' || node === 'box')).toBe(true);
  expect(rows).toHaveLength(2);

  const { state } = nodes.home('box');
  await using following = new Tui(
    ['logs', '-f', '-n', '40', '--state-dir', state],
    nodes.home('box').env(),
    120,
    50,
  );
  await following.shows('mac  work  message: three');
  await mac.ask('work', 'four');
  await following.shows('mac  work  message: four');
  await box.ask('home', 'five');
  await following.shows('box  home  message: five');
  await mac.kill();
  await following.shows('Node "mac" cannot be reached; waiting for it to come back.');
  await nodes.sees('box', 'away', 1);

  expect(await nodes.command('box', 'cost', '--json')).toMatchObject({
    code: 0,
    stderr: 'Node "mac" is away. What was spent there is not in the sum.',
  });
  const one = await logs();
  expect(one).toMatchObject({
    code: 0,
    stderr: expect.stringMatching(/^Node "mac" is away\. What happens there/),
  });
  expect(told(one.stdout)).toEqual(['box  home  message: two', 'box  home  message: five']);
  // One that begins to follow meanwhile has all of it once the machine is back.
  await using late = new Tui(['logs', '-f', '--state-dir', state], nodes.home('box').env(), 120, 50);
  await late.shows('Node "mac" is away. What happens there is not shown until it is back.');
  await late.shows('box  home  message: five');
  await nodes.begin('mac');
  for (const each of [following, late]) await each.shows('Node "mac" is back.');
  await late.shows('mac  work  message: four');
  await nodes.bridge('mac').ask('work', 'six');
  for (const each of [following, late]) await each.shows('mac  work  message: six');
});
