// P7, P8, P9 and P11: how long programs take to start.
import { readdirSync } from 'node:fs';
import { basename } from 'node:path';
import { exitCodes } from '../../src/cli/exit-codes.ts';
import { until } from '../../test/support/until.ts';
import { compare } from '../harness/compare.ts';
import { initialized } from '../harness/initialized.ts';
import { fromBench, type Place, shipped } from '../harness/place.ts';
import { Program } from '../harness/program.ts';
import { type Goal, judge, type Row } from '../harness/row.ts';
import { bareNode, command, repeated } from '../harness/wall.ts';
import { fillJournal } from '../subject/fill-journal.ts';

const counts = { warmup: 1, counted: 7 };
const node = 'node -e 0';

export const approveGoal: Goal = {
  id: 'P7',
  what: 'synthesis approve, start to end',
  against: node,
  atMost: 1.4,
  whyNotYet:
    'A program that only connects and prints is at 1.2x; loading the code and the command-line parser are the rest.',
};

export const helpGoal: Goal = {
  id: 'P8',
  what: 'synthesis --help, start to end',
  against: node,
  atMost: 1.4,
  whyNotYet: 'The command-line parser, which is told of every command, is most of it.',
};

export const psGoal: Goal = {
  id: 'P8',
  what: 'synthesis ps, 20 sessions, start to end',
  against: node,
  atMost: 1.4,
  whyNotYet:
    'A program that only connects and prints is at 1.2x; loading the code, the parser, what the bridge looks at and a table of 20 rows are the rest.',
};

export const channelGoal: Goal = {
  id: 'P9',
  what: 'channel server, start to initialize reply',
  against: 'reference/stdio-echo.js',
  atMost: 2.5,
  whyNotYet: 'The MCP SDK and its schemas are parsed and built before the first message can be read.',
};

const journalRows = 10_000;

export const upGoal: Goal = {
  id: 'P11',
  what: `synthesis up, start to ready, ${journalRows} rows in the journal`,
  against: node,
  atMost: 4,
  whyNotYet:
    'Of what is on top of Node, a half is loading and building modules and schemas; a third is checking each row of the journal and folding those behind its snapshot.',
};

export async function help({ env }: Place): Promise<Row> {
  const subject = command([shipped.cli, '--help'], env);
  return judge(helpGoal, await compare({ subject, reference: bareNode(env) }, counts));
}

/** Of this journal a snapshot is worth its room for each 5,000 rows: so many lie behind the newest one, more or less. */
const rowsBehindSnapshot = 2_000;

/** As a bridge leaves it that has run for longer than its start, and so kept what V8 made of that. */
async function filledState({ home, env }: Place): Promise<string> {
  const dir = await home.directory('filled');
  await fillJournal(dir, journalRows - rowsBehindSnapshot);
  {
    await using bridge = await Program.start(up(dir), env);
    await until('a snapshot', () => bridge.lines.some(({ event }) => event === 'bridge.compacted'));
    await until('its code to be kept', () => filesIn(home.path).includes('bridge.cjs.kept'), 10_000, 50);
  }
  await fillJournal(dir, journalRows);
  return dir;
}

const filesIn = (dir: string) => readdirSync(dir, { recursive: true }).map((path) => basename(String(path)));

const up = (state: string) => [shipped.cli, 'up', '--json', '--port', '0', '--state-dir', state];

/** Of a code that nothing waits for, so that it can be repeated: the way to the bridge and back is the same. */
export async function approve({ home, env }: Place): Promise<Row> {
  const state = await home.directory('state');
  await using _bridge = await Program.start(up(state), env);
  const subject = command([shipped.cli, 'approve', 'abcde', '--state-dir', state], env, exitCodes.not_found);
  return judge(approveGoal, await compare({ subject, reference: bareNode(env) }, counts));
}

export async function ps(place: Place): Promise<Row> {
  const { env } = place;
  const state = await filledState(place);
  await using _bridge = await Program.start(up(state), env);
  const subject = command([shipped.cli, 'ps', '--state-dir', state], env);
  return judge(psGoal, await compare({ subject, reference: bareNode(env) }, counts));
}

export async function bridgeReady(place: Place): Promise<Row> {
  const { env } = place;
  const state = await filledState(place);
  const start = async () => {
    await using bridge = await Program.start(up(state), env);
    return bridge.readyMs;
  };
  const rounds = await compare({ subject: () => repeated(start), reference: bareNode(env) }, counts);
  return judge(upGoal, rounds);
}

const firstReply = (script: string, env: Record<string, string>) => async () => {
  await using server = await initialized(script, env);
  return server.ms;
};

export async function channelReply({ env }: Place): Promise<Row> {
  const subject = () => repeated(firstReply(shipped.channel, env));
  const reference = () => repeated(firstReply(fromBench('reference/stdio-echo.js'), env));
  return judge(channelGoal, await compare({ subject, reference }, counts));
}
