import { describe, expect, test } from 'vitest';
import { newBoard } from '../../../src/cli/tui/nodes/board.ts';
import { packSession } from '../../../src/domain/views/snapshot.ts';
import { afternoon, asking, keyOf } from './fifty.ts';
import { Seat } from './seat.ts';

/** Somebody who comes later: the bridge tells what there is. */
function arriving(count: number, columns: number, rows: number): Seat {
  const { model } = afternoon(count, columns, rows);
  const seat = new Seat(columns, rows);
  const sessions = [...model.sessions.values()].map(({ session }) => packSession(session));
  seat.news({ kind: 'snapshot', snapshot: { seq: model.here.seq, sessions } });
  return seat;
}

const listOf = (seat: Seat): string[] => {
  const from = seat.rows.findIndex((row) => row.includes('SESSION'));
  const rest = seat.rows.slice(from + 1);
  return rest.slice(
    0,
    rest.findIndex((row) => row.startsWith('─')),
  );
};

describe.each([
  [80, 24],
  [120, 40],
  [200, 50],
  [40, 12],
])('at %i×%i', (columns, rows) => {
  test.each([3, 50])('whoever comes to %i sessions sees the one that asks first, and is at it', (count) => {
    const [first = ''] = listOf(arriving(count, columns, rows));
    expect(first).toMatch(/^▸ telegram group .* ▲ asking/);
  });

  test('the bridge being gone is seen', () => {
    const seat = arriving(50, columns, rows);
    seat.news({
      kind: 'link',
      link: { name: 'lost', attempt: 1, retryAt: seat.model.now + 3000, why: 'gone' },
    });
    expect(seat.rows[0]).toContain('○ bridge gone, retry in 3s');
  });

  test('what waits for somebody is counted in the first row', () => {
    expect(arriving(50, columns, rows).rows[0]).toContain('1 to answer');
  });
});

test('first who asks, then what failed, what works and what is idle, the last one used before the others', () => {
  const list = listOf(arriving(50, 120, 60));
  const states = list.map((row) => /[▲◆●○] (\w+)/.exec(row)?.[1]);
  expect([...new Set(states)]).toEqual(['asking', 'stopped', 'working', 'idle']);
  expect(list[1]).toContain('failed !');
  expect(list[2]).toContain(String(4_000_000 + 44 * 7919));
});

test('the cursor stays with its session, whatever rises above it', () => {
  const seat = arriving(50, 80, 24);
  seat.press('down', 'down', 'down');
  const { session } = seat.model.ui;
  const row = seat.row('▸').split('  ')[0];
  let working = 5;
  for (const at of [10, 21, 33]) {
    seat.happens(keyOf(at), { type: 'turn.queued', turn: `n-${at}`, ingress: 'openai', text: '', meta: {} });
    seat.happens(keyOf(at), { type: 'turn.running', turn: `n-${at}` });
    expect(seat.model.ui.session).toBe(session);
    expect(seat.row('▸')).toContain(row);
    expect(seat.rows[0]).toContain(`${++working} working`);
  }
});

test('one that begins to ask above the rows that are shown is told of, and w goes there', () => {
  const seat = arriving(50, 80, 24);
  seat.press('G');
  expect(seat.row('1 Sessions')).toContain('▲ 1 above w');
  expect(seat.row('1 Sessions')).toContain('50 of 50');
  seat.press('w');
  expect(seat.model.ui.session).toBe(asking);
  expect(seat.row('▸')).toContain('▲ asking');
});

test('w goes from one that waits to the next, round and round, from any pane, and says so where none does', () => {
  const seat = arriving(50, 80, 24);
  const other = keyOf(14);
  seat.asks(other, 'aaaaa');
  seat.press('3', 'w');
  expect(seat.model.ui.session).toBe(other);
  seat.press('w');
  expect(seat.model.ui.session).toBe(asking);
  const none = new Seat();
  none.working('one');
  none.press('w');
  expect(none.screen).toContain('No session waits for you.');
});

test('p chooses the session of the request that it shows', () => {
  const seat = arriving(50, 120, 40);
  seat.press('down', 'down', 'p');
  expect(seat.model.ui.session).toBe(asking);
  expect(seat.screen).toContain('Permission kmqtr');
});

test('o goes through the orders, and the title says which one it is', () => {
  const seat = arriving(50, 120, 40);
  const { session } = seat.model.ui;
  const shown = ['attention', 'recent', 'name', 'context', 'cost', 'attention'].map((order) => {
    expect(seat.row('1 Sessions')).toContain(`by ${order}`);
    expect(seat.model.ui.session).toBe(session);
    const list = listOf(seat);
    seat.press('o');
    return list.join('\n');
  });
  expect(shown[2]).not.toBe(shown[0]);
  expect(shown.at(-1)).toBe(shown[0]);
});

describe('a filter', () => {
  test('of the sessions works while it is typed: letters go into it and do nothing else', () => {
    const seat = arriving(50, 80, 24);
    seat.press('/', 'type:q D S x deploy !');
    expect(seat.taken()).toEqual([]);
    expect(seat.screen).toContain('No session has "q D S x deploy !": Esc shows all.');
    seat.press('ctrl+u', 'type:signal GROUP');
    const list = listOf(seat).filter(Boolean);
    expect(list.length).toBeGreaterThan(1);
    for (const row of list) expect(row).toMatch(/signal group/);
    expect(seat.row('▸')).toContain('signal group');
    seat.press('enter');
    expect(seat.row('1 Sessions')).toContain('/signal GROUP');
    seat.press('esc');
    expect(seat.row('1 Sessions')).toContain(' of 50');
  });

  test('Esc while it is typed leaves it as it was', () => {
    const seat = arriving(50, 80, 24);
    seat.press('/', 'type:slack', 'enter', '/', 'type: nothing like it', 'esc');
    expect(seat.row('1 Sessions')).toContain('/slack ');
    expect(listOf(seat).filter(Boolean)[0]).toContain('slack');
  });

  test('finds a session by its key, its state, its chat, what it waits for and its folder', () => {
    for (const words of [
      asking,
      'asking',
      'telegram alice -1001234567890',
      'you: kmqtr',
      '/home/alice/work asking',
    ]) {
      const seat = arriving(50, 80, 24);
      seat.press('/', `type:${words}`, 'enter');
      expect(listOf(seat)[0], words).toContain('▲ asking');
    }
  });

  test('hides nothing that is jumped to', () => {
    const seat = arriving(50, 80, 24);
    seat.press('/', 'type:idle', 'enter', 'w');
    expect(seat.row('▸')).toContain('▲ asking');
    expect(seat.model.ui.filters).toEqual({});
  });

  test('of the requests shows those whose tool, command or session has the words', () => {
    const seat = arriving(50, 120, 40);
    seat.asks(keyOf(14), 'aaaaa', 'Write', { file_path: '/tmp/notes' });
    seat.press('4', '/', 'type:notes write', 'enter');
    expect(seat.screen).toContain('aaaaa  Write');
    expect(seat.screen).not.toContain('kmqtr  Bash');
    seat.press('enter');
    expect(seat.screen).toContain('Permission aaaaa');
    seat.press('esc', 'esc');
    expect(seat.screen).toContain('kmqtr  Bash');
  });
});

describe('what is not known yet is not called nothing', () => {
  test('while the screen connects, and while it waits for the first answer', () => {
    const seat = new Seat();
    seat.model = { ...seat.model, here: newBoard };
    expect(seat.screen).not.toContain('No sessions yet');
    expect(seat.screen).toContain('Asking the bridge for its sessions …');
    seat.news({ kind: 'link', link: { name: 'live' } });
    expect(seat.screen).not.toContain('No sessions yet');
    seat.news({ kind: 'link', link: { name: 'lost', attempt: 1, retryAt: 0, why: 'gone' } });
    expect(seat.screen).toContain('The bridge is gone: its sessions are not known yet.');
    seat.news({ kind: 'link', link: { name: 'live' } });
    seat.news({ kind: 'snapshot', snapshot: { seq: 0, sessions: [] } });
    expect(seat.screen).toContain('No sessions yet.');
  });
});

test('two conversations that look alike in a narrow list are told apart', () => {
  const seat = new Seat(80, 24);
  for (const id of ['-1001111567890', '-1002222567890']) seat.working(`agent:main:telegram:group:${id}`);
  const names = listOf(seat)
    .slice(0, 2)
    .map((row) => row.slice(2, 25));
  expect(names[0]).toMatch(/^telegram group #/);
  expect(new Set(names).size).toBe(2);
});
