// How long archived rows are kept, and that nobody is disturbed at work.
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { silentLog } from '../../../src/base/log.ts';
import { ClaudeIds } from '../../../src/bridge/app/claude-ids.ts';
import { Codes } from '../../../src/bridge/app/desks/codes.ts';
import { Dispatcher } from '../../../src/bridge/app/dispatcher.ts';
import { segmentName } from '../../../src/bridge/journal/archive/segment-name.ts';
import { listSegments } from '../../../src/bridge/journal/archive/segments.ts';
import { type OpenedJournal, openJournal } from '../../../src/bridge/journal/start/open-journal.ts';
import { Retention } from '../../../src/bridge/wiring/journal/retention.ts';
import { until } from '../../support/until.ts';
import { tempDir } from '../journal/temp-dir.ts';

const day = 24 * 60 * 60_000;
const closing: (() => unknown)[] = [];

afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

function open(dir: string): { opened: OpenedJournal; dispatcher: Dispatcher } {
  const opened = openJournal({ dir });
  closing.push(() => opened.journal.close());
  const dispatcher = new Dispatcher({
    journal: opened.journal,
    limits: { queued: 9 },
    log: silentLog,
    perform: () => {},
    failed: (error) => {
      throw error;
    },
  });
  dispatcher.load();
  return { opened, dispatcher };
}

function retention({ opened, dispatcher }: ReturnType<typeof open>, keepDays: number): Retention {
  const made = new Retention({
    config: { journal: { keepDays, rows: 20 } },
    opened,
    dispatcher,
    codes: new Codes(),
    claudeIds: new ClaudeIds(),
    panic: { recorded: undefined },
    secret: { recorded: null },
    log: silentLog,
    stateDir: dirname(opened.archive),
  });
  closing.push(() => made.close());
  return made;
}

const launch = { cwd: '/', permissionMode: 'default', delivery: 'auto' } as const;

function ask(dispatcher: Dispatcher, turn: string): void {
  const about = { claude: 'c', launch, ingress: 'openai', text: turn } as const;
  expect(dispatcher.dispatch('s', { type: 'turn.submit', turn, ...about }).ok).toBe(true);
  dispatcher.dispatch('s', { type: 'prompt.taken', turn, prompt: `p-${turn}` });
}

const end = (dispatcher: Dispatcher, turn: string) =>
  dispatcher.dispatch('s', { type: 'turn.rest', prompt: `p-${turn}` });

test('the state after a restart is the one before, and the archive holds what led to it', async () => {
  const dir = tempDir();
  const first = open(dir);
  for (let n = 0; n < 12; n += 1) {
    ask(first.dispatcher, `t${n}`);
    end(first.dispatcher, `t${n}`);
  }
  const before = first.dispatcher.session('s');
  const rows = first.opened.journal.last;
  retention(first, 90).start();
  await until('the swap', () => first.opened.journal.origin === rows);
  for (const close of closing.splice(0).reverse()) await close();
  const next = open(dir);
  expect(next.opened.journal.origin).toBe(rows);
  expect(next.dispatcher.session('s')).toEqual(before);
  expect(listSegments(next.opened.archive)).toMatchObject([{ first: 1, last: rows }]);
});

test('nothing is swapped while Claude works, and all of it is when the turn ends', async () => {
  const all = open(tempDir());
  for (let n = 0; n < 5; n += 1) {
    ask(all.dispatcher, `t${n}`);
    if (n < 4) end(all.dispatcher, `t${n}`);
  }
  // Not twice as many as there may be: then nobody would wait any more.
  expect(all.opened.journal.last).toBeGreaterThan(20);
  expect(all.opened.journal.last).toBeLessThan(40);
  retention(all, 90).start();
  // A quiet moment would have finished it in the step in which it was begun.
  await until(
    'a part',
    () =>
      existsSync(all.opened.archive) &&
      readdirSync(all.opened.archive).some((name) => name.endsWith('.part')),
  );
  expect(all.opened.journal.origin).toBe(0);
  end(all.dispatcher, 't4');
  await until('the swap', () => all.opened.journal.origin > 0);
});

const nameOf = (first: number, last: number, newest: number) => segmentName({ first, last, newest });

test.each([
  [90, ['old', 'newest']],
  [10, ['newest']],
  [0, ['newest']],
])('with keepDays %i there is left: %s', (keepDays, left) => {
  const all = open(tempDir());
  const names = new Map([
    ['old', nameOf(1, 50, Date.now() - 20 * day)],
    ['newest', nameOf(51, 99, Date.now() - 15 * day)],
  ]);
  mkdirSync(all.opened.archive, { mode: 0o700 });
  for (const name of names.values()) writeFileSync(join(all.opened.archive, name), '', { mode: 0o600 });
  retention(all, keepDays).start();
  const kept = listSegments(all.opened.archive).map(({ path }) => path);
  expect(kept).toEqual(left.map((each) => join(all.opened.archive, names.get(each) ?? '')));
});
