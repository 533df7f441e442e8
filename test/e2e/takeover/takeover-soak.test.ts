// Machines lose power, stand still and are cut off again and again while people talk, and nats-servers are killed as well:
// nothing that was accepted is lost, and nothing is given to Claude twice. The long form:
// TAKEOVER_MESSAGES=10000 TAKEOVER_STRIKES=20 TAKEOVER_SEED=1 npx vitest run --project e2e test/e2e/takeover/takeover-soak.test.ts
import { expect } from 'vitest';
import { atSomeMoment } from '../../../crash/play/moment.ts';
import { natsTest as test } from '../../support/nats-test.ts';
import { seeded } from '../../support/seeded.ts';
import { until } from '../../support/until.ts';
import { insist } from '../support/insist.ts';
import { Ledger } from '../support/ledger.ts';
import { Nodes } from '../support/nodes.ts';

const messages = Number(process.env.TAKEOVER_MESSAGES ?? 240);
const strikes = Number(process.env.TAKEOVER_STRIKES ?? 4);
const seed = Number(process.env.TAKEOVER_SEED ?? 20_261_126);

const names = ['mac', 'box', 'pod'];
const sessions = ['one', 'two', 'three', 'four', 'five', 'six'];

interface Strike {
  what: string;
  strike(nodes: Nodes, name: string): unknown;
  /** It is there again. */
  mend(nodes: Nodes, name: string): unknown;
}

const begin = (nodes: Nodes, name: string) => nodes.begin(name);

/** In this order, again and again. */
const kinds: readonly Strike[] = [
  { what: 'loses power', strike: (nodes, name) => nodes.kill(name), mend: begin },
  {
    what: 'is cut off',
    strike: (nodes, name) => nodes.cable(name).silence(),
    mend: (nodes, name) => nodes.cable(name).heal(),
  },
  { what: 'has no bridge', strike: (nodes, name) => nodes.bridge(name).kill(), mend: begin },
  {
    what: 'stands still',
    strike: (nodes, name) => nodes.pause(name, 'machine'),
    mend: (nodes, name) => nodes.wake(name, 'machine'),
  },
];

test(`${messages} messages and ${strikes} strikes`, {
  timeout: 120_000 + messages * 1_000 + strikes * 60_000,
}, async () => {
  await using nodes = await Nodes.none(3, {
    cluster: { takeover: true, leaseSeconds: 5 },
    env: { SIM_LINE_MS: '2', SIM_LATENCY_MS: '5' },
    hasCable: true,
  });
  await Promise.all(names.map((name) => nodes.begin(name)));
  await Promise.all(names.map((name) => nodes.sees(name, 'alive', names.length - 1)));
  const random = seeded(seed);
  const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)] as T;
  for (const [at, session] of sessions.entries())
    await nodes.bridge(names[at % names.length] ?? '').ask(session, 'hello');
  const ledger = new Ledger(nodes, seed);
  const reach = (count: number) =>
    until(`${count} messages`, () => ledger.ended >= Math.min(count, messages), 180_000);
  const talk = ledger.talk(sessions, messages);
  for (let at = 0; at < strikes; at += 1) {
    await reach((messages / (strikes + 1)) * (at + 1));
    const [name, server] = [pick(names), pick(nodes.servers.all)];
    const { what, strike, mend } = kinds[at % kinds.length] as Strike;
    const takesServer = at % 3 === 2;
    await atSomeMoment(ledger.history, random, () => strike(nodes, name));
    ledger.struck(`${name} ${what}`);
    if (takesServer) await server.kill();
    // Most come back when others go on with what they had, some at once.
    if (random() < 0.8) await reach(ledger.ended + 2 * sessions.length);
    if (takesServer) await server.start();
    await mend(nodes, name);
    ledger.struck(`${name} is back`);
  }
  await talk;
  for (const session of sessions) {
    const known = await insist(nodes.bridge('mac'), session, '[[recall]]', 120_000);
    expect(ledger.whole(session).filter((mark) => !known.includes(mark))).toEqual([]);
  }
  expect(nodes.running.some(({ lines }) => lines.some(({ event }) => event === 'session.housed'))).toBe(true);
  expect(
    ledger.faults(),
    `TAKEOVER_MESSAGES=${messages} TAKEOVER_STRIKES=${strikes} TAKEOVER_SEED=${seed}`,
  ).toEqual([]);
});
