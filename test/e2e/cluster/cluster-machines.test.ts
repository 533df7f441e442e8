// Machines that lose power or are cut off while people talk: a conversation waits for its machine.
import { expect } from 'vitest';
import { atSomeMoment } from '../../../crash/play/moment.ts';
import { natsTest as test } from '../../support/nats-test.ts';
import { seeded } from '../../support/seeded.ts';
import { until } from '../../support/until.ts';
import { Ledger } from '../support/ledger.ts';
import { Nodes } from '../support/nodes.ts';

const quick = { SIM_LINE_MS: '2', SIM_LATENCY_MS: '5' };

test.concurrent('a machine that loses power takes nothing along that was accepted, and gives nothing to Claude twice', async () => {
  await using nodes = await Nodes.met(['mac', 'box'], 1, { env: quick });
  const homes = [
    ['mac', 'one', 20],
    ['box', 'two', 50],
  ] as const;
  for (const [name, session] of homes) await nodes.bridge(name).ask(session, 'hello');
  const ledger = new Ledger(nodes, 20_261_126);
  const random = seeded(1);
  const talk = ledger.talk(['one', 'two'], 80);
  for (const [name, , after] of homes) {
    await until(`${after} messages`, () => ledger.ended >= after, 60_000);
    expect(nodes.claudes(name)).not.toEqual([]);
    await atSomeMoment(ledger.history, random, () => nodes.kill(name));
    expect(nodes.claudes(name)).toEqual([]);
    ledger.struck(`${name} loses power`);
    await nodes.begin(name);
  }
  await talk;
  expect(ledger.faults()).toEqual([]);
  expect(nodes.given().length).toBeGreaterThan(70);
});

test.concurrent('one that is cut off goes on with what lives there, and is found again', async () => {
  await using nodes = await Nodes.none(3);
  await nodes.begin('mac', 'mac', { hasCable: true });
  await nodes.begin('box');
  await nodes.sees('box', 'alive', 1);
  const [mac, box] = [nodes.bridge('mac'), nodes.bridge('box')];
  await mac.ask('work', 'hello');
  nodes.cable('mac').silence();
  await nodes.sees('box', 'away', 1);
  expect(await mac.ask('work', '[[recall]]')).toContain('hello');
  expect(await mac.ask('fresh', 'hello')).toContain('cannot be found out now');
  nodes.cable('mac').heal();
  await nodes.sees('box', 'alive', 1);
  expect(await box.ask('work', '[[recall]]')).toContain('hello');
});
