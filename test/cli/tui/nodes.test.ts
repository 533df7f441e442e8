// One screen over all machines of a cluster: what is shown of each, and where a key goes.
import { describe, expect, test } from 'vitest';
import { snapshotOf } from '../../../src/domain/state/snapshot.ts';
import type { SessionEvent } from '../../../src/protocol/events/events.ts';
import { ClusterSeat, type ScriptedBridge } from './cluster-seat.ts';
import { noon, provider, Seat } from './seat.ts';

const home = 'agent:main:telegram:direct:4242';
const work = 'agent:main:discord:group:777';

/** On mac, with a conversation there and one on box that asks. */
async function both(columns = 80, rows = 24): Promise<ClusterSeat> {
  const seat = new ClusterSeat(['mac', 'box', 'tower2'], columns, rows);
  await seat.sees({ box: 'alive' });
  seat.at('mac').working(home);
  seat.at('box').working(work);
  seat.at('box').asks(work, 'kmqtr');
  return seat;
}

const opened: SessionEvent = { type: 'session.opened', ingress: 'openai' };
const frames = (seat: ClusterSeat) =>
  seat.store.model.frames.map(({ node, seq }) => `${node} ${seq}`).join(', ');

describe('what is shown', () => {
  test.each([
    [80, 24],
    [120, 40],
    [200, 50],
  ])(
    'at %i×%i: the sessions of all machines with the name of each, and all that waits',
    async (columns, rows) => {
      const seat = await both(columns, rows);
      expect(seat.rows[0]).toMatch(/● live {2}2 nodes .*2 sessions · 1 working · 1 to answer$/);
      expect(seat.row('SESSION')).toMatch(/SESSION +NODE +STATE/);
      expect(seat.row('telegram direct 4242')).toMatch(/ mac +◆ working/);
      expect(seat.row('▲ asking')).toMatch(/discord group 777 +box /);
      expect(seat.row('kmqtr  Bash')).toContain('discord group 777  on box');
      await seat.press('p');
      expect(seat.screen).toContain(`session  ${work}  on box`);
      await seat.press('esc', 'i');
      expect(seat.screen).toMatch(/node +box/);
    },
  );

  test('alone there are no names of machines', () => {
    const seat = new Seat();
    seat.working(home);
    seat.asks(home, 'kmqtr');
    seat.press('3', '1');
    expect(seat.screen).not.toMatch(/NODE|node/);
    expect(seat.screen).toContain('permission.asked    …');
  });

  test('filters find a machine, in every list', async () => {
    const seat = await both(80, 40);
    await seat.press('/', 'type:box', 'enter');
    expect(seat.screen).not.toContain('◆ working');
    expect(seat.row('▲ asking')).toContain('▸ discord group 777');
    await seat.press('esc', '4', '/', 'type:box', 'enter');
    expect(seat.screen).toContain('kmqtr  Bash');
    await seat.press('/', ...Array.from({ length: 3 }, () => 'backspace'), 'type:mac', 'enter');
    expect(seat.screen).not.toContain('kmqtr  Bash');
    await seat.press('esc', '3', '/', 'type:mac', 'enter');
    expect(seat.screen).toContain('mac  …:direct:4242');
    expect(seat.screen).not.toContain('box  …rd:group:777');
  });

  test('a frame has the number of its own journal, and its machine', async () => {
    const seat = await both();
    await seat.press('3', 'enter');
    expect(seat.screen).toContain('Frame 1006 of box');
    await seat.press('left', 'left', 'left', 'left', 'left', 'left');
    expect(seat.screen).toContain('Frame 5 of mac');
    await seat.press('esc');
    expect(seat.row('agent.ready')).toContain('  mac  …:direct:4242');
    await seat.sees({ box: 'alive', tower2: 'alive' });
    expect(seat.row('agent.ready')).toContain('  mac     …:direct:4242');
    await seat.press('enter', 'right', 'c');
    expect(seat.performed.at(-1)).toMatchObject({ type: 'copy', what: 'Frame 1001 of box' });
  });

  test('what was before stands where it happened by the clocks, and what comes at the end', async () => {
    const seat = new ClusterSeat(['mac', 'box']);
    const at = (seq: number, ms: number) => ({ seq, at: noon + ms, session: work, event: opened });
    seat.at('mac').comes([], 10);
    seat.at('mac').news({ kind: 'rows', rows: [at(8, 10), at(9, 30), at(10, 20)] });
    await seat.sees({ box: 'alive' });
    seat.at('box').news({ kind: 'rows', rows: [at(998, 5), at(999, 25), at(1000, 40), at(1001, 1)] });
    void seat.screen;
    expect(frames(seat)).toBe('box 998, mac 8, box 999, mac 9, mac 10, box 1000, box 1001');
    // The one that came first is still the one under the cursor.
    await seat.press('3', 'g', 'down', 'enter');
    expect(seat.screen).toContain('Frame 8 of mac');
  });

  test('a picture that is held holds back what comes from everywhere, and counts it', async () => {
    const seat = await both();
    void seat.screen;
    await seat.press('3', ' ', 'space');
    seat.at('mac').says(home, 'one');
    seat.at('box').says(work, 'two');
    expect(seat.screen).toContain('paused +2');
    expect(seat.screen).not.toContain('answer.delta');
  });

  test('another journal on one machine leaves alone what happened on the others', async () => {
    const seat = await both();
    seat.at('box').comes([], 2);
    seat.at('box').happens(work, opened);
    void seat.screen;
    expect(frames(seat)).toBe('mac 1, mac 2, mac 3, mac 4, mac 5, box 3');
    expect(seat.rows[0]).toContain('2 sessions');
  });

  test('what a machine tells again is there once', async () => {
    const seat = await both();
    void seat.screen;
    const [told, rows] = [frames(seat), seat.store.model.frames];
    seat.at('box').comes();
    seat.at('box').news({ kind: 'rows', rows: rows.filter(({ node }) => node === 'box') });
    void seat.screen;
    expect(frames(seat)).toBe(told);
  });

  test('each machine calls its operator, whatever the numbers in its journal are', async () => {
    const seat = await both();
    void seat.screen;
    seat.at('mac').asks(home, 'aaaaa');
    void seat.screen;
    expect(seat.performed).toMatchObject([
      { type: 'call-operator', notice: { code: 'kmqtr' } },
      { type: 'call-operator', notice: { code: 'aaaaa' } },
    ]);
  });

  test('a session that was named is chosen once its machine is known, unless somebody chose another', async () => {
    for (const isChosen of [false, true]) {
      const seat = new ClusterSeat(['mac', 'box'], 80, 24, work);
      seat.at('mac').working(home);
      seat.at('mac').working('other');
      expect(seat.row('▸')).not.toContain('discord');
      if (isChosen) await seat.press('down');
      await seat.sees({ box: 'alive' });
      seat.at('box').working(work);
      expect(seat.row('▸').includes('discord')).toBe(!isChosen);
    }
  });
});

describe('a key goes to the machine that it is about', () => {
  test('messages, verdicts and the rest', async () => {
    const seat = await both();
    await seat.press('w', 'm', 'type:hi', 'enter');
    await seat.press('p', 'd', 'enter');
    await seat.press('x', 'y');
    expect(seat.done('box')).toMatchObject([
      { method: 'session.send', params: { session: work, text: 'hi' } },
      { method: 'permission.decide', params: { code: 'kmqtr', verdict: 'deny' } },
      { method: 'session.interrupt', params: { session: work } },
    ]);
    expect(seat.done('mac')).toEqual([]);
    await seat.press('1', 'down', 'R', 'y');
    expect(seat.done('mac')).toMatchObject([{ method: 'session.restart', params: { session: home } }]);
    expect(seat.done('box')).toHaveLength(3);
  });

  test('on one that is away nothing is done, and that is said', async () => {
    const seat = await both();
    seat.at('box').goes();
    await seat.press('w', 'm', 'type:hi', 'enter');
    expect(seat.screen).toContain('box cannot be reached. Nothing was done.');
    expect(seat.done('mac')).toEqual([]);
    await expect(seat.port.call('session.stop', { session: work }, 'nobody')).rejects.toMatchObject({
      code: 'node_away',
    });
  });

  test('what a machine refuses is said in its own words', async () => {
    const seat = await both();
    seat.at('box').failure = new Error('Nothing is running.');
    await seat.press('w', 'x', 'y');
    expect(seat.screen).toContain('Nothing is running.');
  });

  test('a panic goes to all of them, and names those that were not told', async () => {
    const seat = await both();
    await seat.press('!', 'y');
    for (const name of ['mac', 'box'])
      expect(seat.done(name)).toEqual([{ method: 'bridge.panic', params: { door: 'tui' } }]);
    const stopped = { since: '2026-01-01T12:00:00.000Z', by: 'you', reason: null };
    seat.at('mac').status({ panic: stopped });
    expect(seat.rows[1]).toContain('STOPPED on mac since 12:00 UTC');
    seat.at('box').status({ panic: stopped });
    expect(seat.rows[1]).toContain('ALL STOPPED since 12:00 UTC');
    // One alone that is stopped can go on, too.
    seat.at('mac').status({});
    expect(seat.rows[1]).toContain('STOPPED on box since');
    seat.at('box').goes();
    await seat.press('U', 'y');
    expect(seat.done('mac').at(-1)).toEqual({ method: 'bridge.resume', params: { door: 'tui' } });
    expect(seat.screen).toContain('It was done, but not on box: no answer came from there.');
  });

  test('a panic says so while it is not known which others there are, and what was known stays', async () => {
    const seat = await both();
    const joining = { reason: 'The cluster is being joined.' };
    await seat.sees({}, joining);
    expect(seat.rows[0]).toContain('2 nodes');
    await seat.press('!', 'y');
    expect(seat.done('box')).toHaveLength(1);
    expect(seat.screen).toContain('It was done, but there may be other machines that were not told.');
  });

  test('a panic that comes before another machine was heard of is not said to be done there', async () => {
    const seat = new ClusterSeat(['mac', 'box']);
    seat.knows({ box: 'alive' });
    await seat.press('!', 'y');
    expect(seat.done('box')).toEqual([]);
    expect(seat.screen).toContain('It was done, but not on box: no answer came from there.');
  });

  test('a panic that the bridge here refuses is not said to be done', async () => {
    const seat = await both();
    seat.at('mac').failure = new Error('No room.');
    await seat.press('!', 'y');
    expect(seat.screen).toContain('No room.');
  });
});

describe('machines come and go', () => {
  test('one that goes is named, what it has stays, and it goes on when it is back', async () => {
    const seat = await both();
    seat.at('box').goes();
    expect(seat.rows[0]).toMatch(/● live {2}○ box away .*2 sessions · 1 working · 1 to answer$/);
    expect(seat.row('▲ asking')).toContain('box: away');
    expect(seat.row('◆ working')).not.toContain('away');
    await seat.press('w', 'i');
    expect(seat.screen).toMatch(/node +box {2}away/);
    await seat.press('esc');
    seat.at('box').isBack();
    seat.at('box').happens(work, { type: 'permission.settled', code: 'kmqtr', outcome: 'expired' });
    expect(seat.rows[0]).toContain('2 nodes');
    expect(seat.row('discord group 777')).toMatch(/box +◆ working/);
  });

  test('one that comes later is added; one that had gone in order before is not', async () => {
    const seat = new ClusterSeat(['mac', 'box', 'tower', 'old', 'the-oldest-of-them'], 120);
    await seat.sees({ old: 'stopped' });
    expect(seat.rows[0]).toContain('1 node ');
    for (const name of ['tower', 'the-oldest-of-them']) seat.at(name).isThere = false;
    await seat.sees({ box: 'draining', tower: 'away', old: 'stopped' });
    expect(seat.rows[0]).toContain('○ tower away');
    expect(seat.at('old').isWatched).toBe(false);
    seat.at('tower').comes();
    seat.at('tower').working(work);
    expect(seat.row('discord group 777')).toContain('tower');
    // It is stopped while it is known.
    seat.at('tower').goes();
    await seat.sees({ box: 'alive', tower: 'stopped' });
    expect(seat.rows[0]).toContain('○ tower away');
    expect(seat.row('discord group 777')).toContain('tower: away');
    seat.at('box').goes();
    expect(seat.rows[0]).toContain('○ box, tower away');
    await seat.sees({ box: 'alive', tower: 'stopped', 'the-oldest-of-them': 'away' });
    expect(seat.rows[0]).toContain('○ 3 nodes away');
    await seat.sees({ 'the-oldest-of-them': 'away' });
    expect(seat.rows[0]).toContain('○ the-oldest-of… away');
  });

  test('one that is not of the cluster any more is left, with what it had', async () => {
    const seat = await both();
    const { calls } = seat.at('box');
    await seat.sees({});
    expect(seat.rows[0]).toMatch(/1 node .*1 session · 1 working · 0 to answer$/);
    expect(seat.at('box').isWatched).toBe(false);
    await seat.press('m', 'type:hi', 'enter');
    expect(calls).toEqual([]);
  });

  test('the one here may be called otherwise from its next start', async () => {
    const seat = await both();
    await seat.sees({ box: 'alive' }, { node: 'laptop' });
    expect(seat.row('◆ working')).toContain(' laptop ');
    await seat.press('x', 'y');
    expect(seat.done('mac')).toMatchObject([{ method: 'session.interrupt', params: { session: home } }]);
  });

  test('what nobody knows any more tells nothing', () => {
    const seat = new Seat();
    const { model } = seat;
    seat.news({ kind: 'link', link: { name: 'live' }, node: 'box' });
    expect(seat.model).toBe(model);
  });

  test('while nobody can be asked who is there, that is said, and what is known stays', async () => {
    const seat = await both();
    await seat.sees({}, { state: 'lost' });
    expect(seat.rows[0]).toContain('○ others out of reach');
    expect(seat.rows[0]).toContain('2 sessions');
    expect(seat.at('box').isWatched).toBe(true);
    seat.at('mac').goes();
    expect(seat.rows[0]).toMatch(/○ bridge gone, retry in \d+s +2 sessions/);
  });

  test('what is wrong on another machine is said with its name', async () => {
    const seat = await both(120, 24);
    seat.at('box').status({
      notices: [{ code: 'disk_full', words: 'The disk is full.' }],
      providers: [provider('notes', 'unavailable')],
    });
    expect(seat.rows[0]).toContain('tools notes on box unavailable');
    expect(seat.rows[1]).toContain('box: The disk is full.');
    seat.at('mac').status({ notices: [{ code: 'disk_full', words: 'Here, too.' }] });
    expect(seat.rows[1]).toContain('■ Here, too.');
  });

  test('leaving ends the way to each of them', async () => {
    const seat = await both();
    // While it is being asked who else is there.
    const seen = seat.sees({ box: 'alive', tower2: 'alive' });
    seat.store.close();
    await seen;
    expect([...seat.bridges.values()].some(({ isWatched }) => isWatched)).toBe(false);
  });
});

describe('a conversation that goes to another machine is there once, where it lives', () => {
  const stateOf = (seat: ClusterSeat) => {
    void seat.screen;
    const session = seat.store.model.sessions.get(home)?.session;
    if (!session) throw new Error('no session');
    return { ...snapshotOf(session), agent: { name: 'stopped' as const }, removed: true };
  };
  const arrives = (bridge: ScriptedBridge, from: string, state: object) =>
    bridge.happens(home, opened, {
      type: 'session.restored',
      version: 1,
      state: { ...state, move: { node: from, as: 'arriving' } },
    });
  const where = (seat: ClusterSeat) =>
    seat.rows.filter((row) => row.includes('direct 4242') && / (mac|box) /.test(row));

  /** Idle on mac, with another one that sorts above it. */
  async function idle(): Promise<ClusterSeat> {
    const seat = await both();
    seat.at('mac').ends(home);
    await seat.press('down');
    return seat;
  }

  test('moved: the cursor stays with it, whatever its old home tells of it', async () => {
    const seat = await idle();
    const [mac, box] = [seat.at('mac'), seat.at('box')];
    mac.happens(home, { type: 'session.housed', node: 'box' });
    arrives(box, 'mac', stateOf(seat));
    expect(where(seat)).toEqual([expect.stringMatching(/^▸ .* mac /)]);
    mac.happens(home, { type: 'session.removed' });
    // On neither for a moment.
    expect(where(seat)).toEqual([]);
    box.happens(home, { type: 'session.housed' });
    expect(where(seat)).toEqual([expect.stringMatching(/^▸ .* box +● idle|^▸ .* box +○ stopped/)]);
    mac.happens(home, { type: 'session.labelled', label: 'old' }, { type: 'session.removed', forget: true });
    expect(where(seat)).toEqual([expect.stringMatching(/^▸ .* box /)]);
    await seat.press('m', 'type:hi', 'enter');
    expect(seat.done('box')).toMatchObject([{ method: 'session.send', params: { session: home } }]);
    expect(seat.done('mac')).toEqual([]);
    box.happens(home, { type: 'session.removed', forget: true });
    expect(where(seat)).toEqual([]);
  });

  test('one that does not get there stays; what is removed meanwhile is gone', async () => {
    const seat = await idle();
    const [mac, box] = [seat.at('mac'), seat.at('box')];
    mac.happens(home, { type: 'session.housed', node: 'box' });
    arrives(box, 'mac', stateOf(seat));
    mac.happens(home, { type: 'session.housed' });
    expect(where(seat)).toEqual([expect.stringMatching(/^▸ .* mac /)]);
    // What arrived there is only left over, and the cursor goes on.
    mac.happens(home, { type: 'session.removed', forget: true });
    expect(where(seat)).toEqual([]);
    expect(seat.row('▸')).toMatch(/^▸ discord group 777/);
  });

  test('taken over from a machine that is away: also when that comes back and does not know it yet', async () => {
    const seat = new ClusterSeat(['tower', 'mac', 'box']);
    await seat.sees({ mac: 'alive', box: 'alive' });
    const [mac, box] = [seat.at('mac'), seat.at('box')];
    mac.working(home);
    mac.ends(home);
    const state = stateOf(seat);
    mac.goes();
    arrives(box, 'mac', state);
    expect(where(seat)).toEqual([expect.stringContaining(' mac ')]);
    box.happens(home, { type: 'session.housed' });
    expect(where(seat)).toEqual([expect.stringContaining(' box ')]);
    mac.isBack();
    mac.happens(home, { type: 'session.labelled', label: 'old' });
    expect(where(seat)).toEqual([expect.stringContaining(' box ')]);
    mac.happens(home, { type: 'session.held', node: 'mac' });
    box.goes();
    expect(where(seat)).toEqual([expect.stringContaining('box: away')]);
    box.isBack();
    mac.happens(home, { type: 'session.removed' });
    expect(where(seat)).toEqual([expect.stringMatching(/ box +○ stopped/)]);
  });
});
