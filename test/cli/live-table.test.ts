import xterm from '@xterm/headless';
import stringWidth from 'string-width';
import { expect, test } from 'vitest';
import { LiveTable, liveLines } from '../../src/cli/output/live/live-table.ts';
import { emptySession } from '../../src/domain/state/session.ts';
import type { AskRow } from '../../src/domain/views/session/ask-row.ts';
import type { SessionRow } from '../../src/domain/views/session/session-row.ts';
import { sessionRow } from '../../src/domain/views/session/session-row.ts';

const session = (key: string, state: SessionRow['state']): SessionRow => ({
  ...sessionRow(emptySession(key), 'id'),
  state,
});
const ask: AskRow = {
  code: 'abcde',
  session: 's',
  tool: 'Bash',
  input: {},
  rationale: null,
  expires_at: '',
} as never;

test('the table is lower than the terminal, and no line is wider', () => {
  const rows = Array.from({ length: 50 }, (_, index) =>
    session(`session ${index} ${'x'.repeat(200)}`, 'idle'),
  );
  for (const size of [
    { cols: 80, rows: 24 },
    { cols: 40, rows: 5 },
    { cols: 20, rows: 2 },
    { cols: 200, rows: 60 },
  ]) {
    const lines = liveLines({ title: 'synthesis', rows, asks: [ask, ask] }, size, 0);
    expect(lines.length).toBeLessThanOrEqual(size.rows - 1);
    for (const line of lines) expect(line.length).toBeLessThan(size.cols);
  }
});

test('who waits for the operator comes first, and what is left out is counted', () => {
  const rows = ['idle', 'stopped', 'working', 'asking'].map((state) =>
    session(state, state as SessionRow['state']),
  );
  const lines = liveLines({ title: 't', rows, asks: [ask] }, { cols: 120, rows: 40 }, 0);
  expect(lines.map((line) => line.split(' ')[0])).toEqual([
    't',
    'SESSION',
    'asking',
    'working',
    'idle',
    'stopped',
    'waits',
  ]);
  expect(lines.at(-1)).toContain('synthesis approve abcde');
  const many = Array.from({ length: 30 }, (_, index) => session(`s${index}`, 'idle'));
  const cut = liveLines({ title: 't', rows: many, asks: [] }, { cols: 120, rows: 10 }, 0);
  expect(cut.at(-1)).toBe('… 24 more: synthesis ps');
});

interface Drawing {
  echo(text: string): void;
  resize(cols: number): Promise<void>;
}

async function screenAfter(
  draw: (table: LiveTable, drawing: Drawing) => void | Promise<void>,
  height = 6,
): Promise<string[]> {
  const screen = new xterm.Terminal({
    cols: 40,
    rows: height,
    allowProposedApi: true,
    convertEol: true,
    scrollback: 100,
  });
  const echo = (text: string) => screen.write(text);
  const drawn = () => new Promise<void>((resolve) => screen.write('', resolve));
  const resize = async (cols: number) => {
    await drawn();
    screen.resize(cols, height);
  };
  await draw(new LiveTable(echo, () => screen.cols), { echo, resize });
  await drawn();
  const { active } = screen.buffer;
  const rows = Array.from(
    { length: active.length },
    (_, row) => active.getLine(row)?.translateToString(true) ?? '',
  );
  screen.dispose();
  return rows.slice(0, rows.findLastIndex((row) => row !== '') + 1);
}

test('what is said scrolls away above the table, and the table is there once', async () => {
  const rows = await screenAfter((table) => {
    table.show(['TITLE', 'one']);
    for (let index = 1; index <= 8; index += 1) table.say(`line ${index}`);
    table.show(['TITLE', 'one', 'two']);
    table.show(['TITLE', 'uno']);
    table.say('last\nwords');
  });
  const said = Array.from({ length: 8 }, (_, index) => `line ${index + 1}`);
  expect(rows).toEqual([...said, 'last', 'words', 'TITLE', 'uno']);
});

test('a Ctrl-C that the terminal echoes leaves nothing of the table behind, and moves nothing', async () => {
  const rows = await screenAfter((table, { echo }) => {
    table.show(['TITLE', 'one']);
    echo('^C');
    table.close();
    echo('What now?');
  });
  expect(rows).toEqual(['What now?']);
});

test('after the end only what was said is left, and an unchanged table is not drawn again', async () => {
  const writes: string[] = [];
  const table = new LiveTable(
    (text) => writes.push(text),
    () => 80,
  );
  table.show(['a']);
  table.show(['a']);
  expect(writes).toHaveLength(1);
  const rows = await screenAfter((live) => {
    live.show(['TITLE']);
    live.say('kept');
    live.close();
  });
  expect(rows).toEqual(['kept']);
});

test('what is said is there to its last word, however narrow the terminal, and the table stays below it once', async () => {
  const words = 'asks for Bash: synthesis approve abcde | synthesis deny abcde';
  const rows = await screenAfter((table) => {
    table.show(['TITLE', 'a line of the table', 'and one more']);
    table.say(words);
    table.say('x'.repeat(40));
    table.show(['TITLE', 'y'.repeat(60)]);
  });
  expect(rows.slice(0, 2).join('')).toBe(words);
  expect(rows.slice(2)).toEqual(['x'.repeat(40), 'TITLE', 'y'.repeat(40)]);
});

test.each([30, 17, 9])(
  'a terminal that is made %i columns wide keeps what was said, and one table',
  async (cols) => {
    const rows = await screenAfter(async (table, { resize }) => {
      table.say('kept');
      table.show(['TITLE '.repeat(5), '漢字'.repeat(8), 'short', 'z'.repeat(60)]);
      await resize(cols);
      table.show(['TITLE', 'one']);
      table.say('more');
    }, 24);
    expect(rows).toEqual(['kept', 'more', 'TITLE', 'one']);
  },
);

test('the command that answers a question is whole in a row of 80 characters', () => {
  const session = 'agent:main:telegram:group:-1001234567890:topic:42';
  const [line] = liveLines(
    { title: 't', rows: [], asks: [{ ...ask, session, tool: 'mcp__a_server__and_a_tool' }] },
    { cols: 80, rows: 24 },
    0,
  ).slice(-1);
  expect(line).toContain('synthesis approve abcde (or deny abcde)');
});

test('a session in which nobody is asked is marked by its delivery at 80 characters, and with its mode where there is room', () => {
  const rows = ['plan', 'dontAsk', 'bypassPermissions'].map((permission_mode) => ({
    ...session('agent:main:telegram:direct:4242', 'working'),
    permission_mode,
    delivery: 'terminal' as const,
    context_percent: 100,
  }));
  const at = (cols: number) => liveLines({ title: 't', rows, asks: [] }, { cols, rows: 24 }, 0).slice(2);
  expect(at(80).map((line) => line.replace(/.* 100% {2}/, ''))).toEqual([
    'terminal',
    'terminal !',
    'terminal !',
  ]);
  expect(at(120).map((line) => / (plan|dontAsk !|bypass !) /.exec(line)?.[1])).toEqual([
    'plan',
    'dontAsk !',
    'bypass !',
  ]);
});

test('a long name gives way to the columns behind it, and columns stand straight whatever letters a name has', () => {
  const keys = [
    'agent:main:discord:group:日本語チャンネル-100200',
    'agent:main:telegram:direct:4242',
    'd\u0065\u0301ja-vu 👍',
  ];
  const lines = liveLines(
    { title: 't', rows: keys.map((key) => session(key, 'idle')), asks: [] },
    { cols: 80, rows: 24 },
    0,
  );
  for (const line of lines) expect(stringWidth(line)).toBeLessThan(80);
  const starts = lines.slice(1).map((line) => stringWidth(line.slice(0, line.search(/STATE|idle/))));
  expect(new Set(starts).size).toBe(1);
  for (const line of lines.slice(2)) expect(line).toMatch(/ idle +- .* -$/);
  expect(lines.join('\n')).toMatch(/^discord group 日.*….*0200 /m);
});
