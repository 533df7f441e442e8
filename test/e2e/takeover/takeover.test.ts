// Machines that are gone, or believe that they are there: their conversations go on elsewhere, once. All clocks are wrong
// by minutes: nobody may notice.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect } from 'vitest';
import { natsTest as test } from '../../support/nats-test.ts';
import { until } from '../../support/until.ts';
import { newestEpoch } from '../support/copies.ts';
import { insist, leave, tell } from '../support/insist.ts';
import { Ledger } from '../support/ledger.ts';
import { lookMs, Nodes } from '../support/nodes.ts';

const names = ['mac', 'box', 'pod'] as const;
const leaseSeconds = 5;

/** By how much each clock is wrong, minutes. */
const clocks = { mac: 10, box: 0, pod: -10 };

let nodes: Nodes;

beforeAll(async () => {
  nodes = await Nodes.none(1, {
    cluster: { takeover: true, leaseSeconds },
    config: {
      profiles: [
        { match: 'fixed', takeover: false },
        { match: 'pinned', node: 'mac' },
      ],
    },
  });
  await Promise.all(
    names.map((name) => {
      const clock = join(nodes.folder, `${name}.clock`);
      writeFileSync(clock, String(clocks[name] * 60_000));
      const preload = resolve(import.meta.dirname, '../../../crash/preload/wall-clock.ts');
      const env = { CRASH_CLOCK: clock, NODE_OPTIONS: `--import=${preload}` };
      return nodes.begin(name, name, { env, hasCable: name === 'pod' });
    }),
  );
  await Promise.all(names.map((name) => nodes.sees(name, 'alive', 2)));
});

afterAll(() => nodes[Symbol.asyncDispose]());

const given = (text: string) => nodes.given().filter((prompt) => prompt.includes(text)).length;

/** Who has a conversation, as a machine sees it that is no longer its own. */
const takenOver = (session: string, from: string, seenBy: string) =>
  until(
    `${session} to be taken over from ${from}`,
    async () => {
      const home = (await nodes.homes(seenBy))[session];
      return home !== undefined && home !== from && home;
    },
    leaseSeconds * 4_000,
    lookMs,
  );

test('nobody takes over from a machine whose clock is wrong', async () => {
  for (const name of names) await nodes.bridge(name).ask(`of ${name}`, 'hello');
  const homes = { 'of mac': 'mac', 'of box': 'box', 'of pod': 'pod' };
  await nodes.live('box', homes);
  const ledger = new Ledger(nodes, 1);
  const end = performance.now() + leaseSeconds * 1_500;
  while (performance.now() < end) await ledger.talk(Object.keys(homes), 6);
  expect(ledger.faults()).toEqual([]);
  await nodes.live('box', homes);
});

test('what lived on a machine that lost power goes on: Claude knows it, what waited is answered, what Claude had ends in words', async () => {
  const [mac, box, pod] = names.map((name) => nodes.bridge(name));
  if (!mac || !box || !pod) throw new Error('no bridges');
  for (const session of ['work', 'fixed', 'pinned']) await mac.ask(session, 'the first words');
  const memory = async (name: string) =>
    (await nodes.json<{ memory: string }>(name, 'inspect', 'work', '--node', name)).memory;
  const lost = await memory('mac');
  writeFileSync(join(lost, 'MEMORY.md'), '- what Claude remembers');
  await mac.ask('work', 'more words');
  const hanging = insist(box, 'work', '[[say:one|two]][[hang]]');
  await until('the turn', () => given('[[hang]]') === 1);
  await leave(pod, 'work', 'this waits');
  const repeated = insist(pod, 'work', 'this waits, too');
  await until('what waits', () => mac.lines.filter(({ event }) => event === 'turn.queued').length >= 7);
  await nodes.kill('mac');
  const home = await takenOver('work', 'mac', 'box');
  expect(['box', 'pod']).toContain(home);
  const there = await memory(home);
  expect(readFileSync(join(there, 'MEMORY.md'), 'utf8')).toBe('- what Claude remembers');
  expect(await hanging).toMatch(/⚠️.*send your message again/s);
  expect(await repeated).toContain('this waits, too');
  for (const name of ['box', 'pod'])
    expect(await insist(nodes.bridge(name), 'work', '[[recall]]')).toMatch(/the first words.*this waits/s);
  expect([given('[[hang]]'), given('this waits, too'), given('[user] this waits')]).toEqual([1, 1, 2]);
  for (const session of ['fixed', 'pinned'])
    expect(await box.ask(session, 'hello')).toContain('lives on mac, which is away');

  // It finds out that they live elsewhere, and has nothing of them any more.
  await nodes.begin('mac');
  await nodes.sees('box', 'alive', 2);
  expect(await insist(nodes.bridge('mac'), 'work', '[[recall]]')).toContain('the first words');
  await nodes.live('mac', { work: home, fixed: 'mac', pinned: 'mac' });
  const own = await nodes.json<{ key: string }[]>('mac', 'ps', '--node', 'mac');
  expect(own.map(({ key }) => key).sort()).toEqual(['fixed', 'pinned']);
  for (const session of ['fixed', 'pinned'])
    expect(await insist(box, session, '[[recall]]')).toContain('the first words');

  // What it remembers goes with it everywhere.
  expect([existsSync(lost), (await nodes.command('pod', 'rm', 'work')).code]).toEqual([true, 0]);
  await until('its memory to be gone', () => !existsSync(lost) && !existsSync(there), 20_000);
  expect(await newestEpoch(nodes.servers.urls, 'work')).toBe(Number.NaN);
});

async function standsStill(part: 'bridge' | 'machine'): Promise<void> {
  const [mac, box] = [nodes.bridge('mac'), nodes.bridge('box')];
  const session = `still ${part}`;
  const hang = `[[say:${part}]][[hang]]`;
  await box.ask(session, 'the first words');
  box.says(session, hang);
  await until('the turn', () => given(hang) === 1);
  await nodes.pause('box', part);
  // Its port takes what its bridge reads when it wakes.
  const text = `said to a ${part} that sleeps`;
  const toItself = tell(box, { session, text });
  if (part === 'bridge')
    await until('its Claudes to be dead', () => nodes.claudes('box').length === 0, leaseSeconds * 1_000);
  const home = await takenOver(session, 'box', 'mac');
  expect(await insist(mac, session, '[[recall]]')).toContain('the first words');
  const epoch = await newestEpoch(nodes.servers.urls, session);
  nodes.wake('box', part);
  await until('its Claudes to be dead', () => nodes.claudes('box').length === 0, 2_000);
  const outcome = await toItself;
  if (outcome.end === 'done') expect(outcome.text).toMatch(/said to a|not taken/);
  expect(await insist(box, session, '[[recall]]')).toContain('the first words');
  expect(await newestEpoch(nodes.servers.urls, session)).toBe(epoch);
  await nodes.live('box', { [session]: home });
  const own = await nodes.json<{ key: string }[]>('box', 'ps', '--node', 'box');
  expect(own.map(({ key }) => key)).not.toContain(session);
  expect(given(text)).toBeLessThanOrEqual(1);
}

test('a bridge that stands still for longer than its lease has no Claude by then, and writes nothing when it wakes', () =>
  standsStill('bridge'));

test('a machine that does so has none right after it wakes', () => standsStill('machine'));

test('a machine that is cut off gives up before another takes over', async () => {
  const [mac, pod] = [nodes.bridge('mac'), nodes.bridge('pod')];
  await pod.ask('far', 'the first words');
  pod.says('far', '[[say:far]][[hang]]');
  await until('the turn', () => given('[[say:far]][[hang]]') === 1);
  const isTaken = () =>
    names.some((name) => name !== 'pod' && nodes.bridge(name).lines.some(({ session }) => session === 'far'));
  nodes.cable('pod').silence();
  await until(
    'its Claudes to be dead',
    () => nodes.claudes('pod').length === 0 || isTaken(),
    leaseSeconds * 2_000,
  );
  expect([nodes.claudes('pod'), isTaken()]).toEqual([[], false]);
  expect(await tell(pod, { session: 'far', text: 'said to who is alone' })).toSatisfy(
    (outcome) => outcome.end === 'refused' || /not taken/.test(outcome.text),
  );
  const home = await takenOver('far', 'pod', 'mac');
  expect(await insist(mac, 'far', '[[recall]]')).toContain('the first words');
  // What it wrote in the silence arrives now.
  nodes.cable('pod').heal();
  await nodes.sees('mac', 'alive', 2);
  expect(await insist(pod, 'far', '[[recall]]')).toContain('the first words');
  await nodes.live('pod', { far: home });
  expect(given('said to who is alone')).toBe(0);
});
