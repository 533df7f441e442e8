// What an operator does in one sitting, in whatever terminal: every assertion is about the text that it shows.
import { expect } from 'vitest';
import type { PtyOptions } from '../../support/pty.ts';
import type { Seat } from '../../support/seat.ts';
import { until } from '../../support/until.ts';
import { Home } from './program.ts';
import { keys } from './tui.ts';

const telegram = 'agent:main:telegram:direct:4242';
const discord = 'agent:main:discord:group:100200';

type Terminal = new (argv: readonly [string, ...string[]], options: PtyOptions) => Seat;

/** Three sessions at work: answers one, looks, writes, sees the bridge restart and the terminal change, and leaves. */
export async function takeTour(Terminal: Terminal, cols: number, rows: number): Promise<void> {
  await using home = new Home();
  let bridge = await home.up({ env: { SIM_LINE_MS: '100' } });
  await using seat = new Terminal(home.argv('attach', '--state-dir', home.state), {
    cwd: home.cwd,
    env: home.env({ TZ: 'UTC', TERM: 'xterm-256color' }),
    cols,
    rows,
  });
  await seat.shows('No sessions yet');
  expect(seat.buffer).toBe('alternate');

  // three sessions at work
  bridge.says(telegram, '[[say:The tests come first.]] [[bash:npm test]] [[say:All green.]]');
  // The first one is chosen.
  await seat.shows(/▸ .*4242/);
  bridge.says(discord, '[[lines:400]]');
  bridge.says('webchat', '[[lines:400]]');
  await seat.shows('3 sessions');
  await seat.shows(/2 working · 1 to answer/);
  // Rows are drawn from the top down: those below the title may come a moment later.
  await seat.shows(/▸ .*4242.*▲ asking/);
  await seat.shows(/◆ working.*terminal/);
  await seat.shows('The tests come first.');
  expect(seat.rows.at(-1)).toBe('');

  // a permission is answered
  seat.type('p');
  await seat.shows('│ npm test');
  await seat.shows('a allow once   s allow for this session   d deny');
  seat.type('a');
  await seat.shows('Allow it this once?');
  seat.type('\u0019');
  await seat.shows(/\w{5} allowed/);
  await seat.shows('0 to answer');
  await seat.shows('All green.');
  await seat.shows('✓ allowed');

  // a frame is inspected
  seat.type('3');
  await seat.shows('following');
  await seat.shows(/answer\.delta .* Line \d+/);
  seat.type('/permission.decided\r');
  await seat.shows(/permission\.decided .* allow {2}by tui/);
  seat.type(keys.enter);
  await seat.shows('"verdict": "allow"');
  await seat.shows('"by": "tui"');
  seat.type(keys.esc);
  await seat.hides('"verdict"');
  seat.type(keys.esc);
  await seat.hides('/permission.decided');

  // a message is written
  seat.type('m');
  await seat.shows('Message to agent:main:telegram');
  seat.type('hello from the seat');
  await seat.shows('❯ hello from the seat');
  // Others go on: every picture takes the cursor along.
  await until('the cursor behind it', () => {
    const { x, y, shown } = seat.cursor;
    return x === 21 && y === rows - 3 && shown;
  });
  seat.type(keys.enter);
  await seat.shows('You said: [operator] hello from the seat');
  await seat.shows('operator');

  // the bridge restarts, and needs not wait for those at work
  await Promise.all([discord, 'webchat'].map((key) => home.command('interrupt', key)));
  await seat.shows('0 working');
  await bridge.end();
  await seat.shows('bridge gone');
  await seat.shows('You said: [operator] hello from the seat');
  bridge = await home.up({ env: { SIM_LINE_MS: '20' } });
  await seat.shows('● live');
  bridge.says(telegram, 'Are you back?');
  await seat.shows('You said: [user] Are you back?', 30_000);
  seat.type('3');
  seat.type(keys.enter);
  await seat.shows(/Frame \d+/);
  const newest = Number(/Frame (\d+)/.exec(seat.screen)?.[1]);
  for (let step = 1; step <= 30; step += 1) {
    seat.type(keys.left);
    await seat.shows(`Frame ${newest - step} `);
  }
  seat.type(keys.esc);

  // the terminal changes its size
  seat.resize(cols + 30, rows + 6);
  await seat.shows(new RegExp(`^ synthesis.{${cols}}`));
  await until('the last row', () => seat.rows[rows + 4]?.includes('q quit'));
  seat.resize(60, 16);
  await seat.shows(/^ synthesis {2}● live/);
  await until('a small picture', () => seat.rows[14]?.includes('q quit') && seat.rows[15] === '');
  seat.resize(cols, rows);
  await until('the last row', () => seat.rows[rows - 2]?.includes('q quit'));

  // and the operator leaves; everything else stays
  seat.type('q');
  expect(await seat.exited()).toBe(0);
  expect([seat.buffer, seat.cursor.shown]).toEqual(['normal', true]);
  expect((await home.command('ps', '--json')).stdout).toContain(telegram);
}
