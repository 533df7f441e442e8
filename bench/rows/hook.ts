// P2: the road that text takes in truth: Claude Code posts a hook, the client reads its text. The whole product runs,
// with simulated Claude Codes that hang in a turn; the hooks are posted with their tokens.
import { readFile } from 'node:fs/promises';
import { sessionDir } from '../../src/bridge/claude/launch/session-files.ts';
import { hookDoor } from '../../test/e2e/support/hook-door.ts';
import { until } from '../../test/support/until.ts';
import { chatStream } from '../harness/chat-stream.ts';
import { compare } from '../harness/compare.ts';
import { FrameSender } from '../harness/frame-sender.ts';
import { Latencies } from '../harness/latencies.ts';
import { paced } from '../harness/paced.ts';
import { fromBench, type Place, shipped } from '../harness/place.ts';
import { messageDisplay, poster } from '../harness/poster.ts';
import { Program } from '../harness/program.ts';
import { type Goal, judge, type Row } from '../harness/row.ts';

const sessions = 4;
const perSession = 25;
const roundMs = 1000;

/** What the host may cost on the way, ms: it is a process that the reference does not have. */
const hostMs = 0.5;

export const hookGoal: Goal = {
  id: 'P2',
  what: `hook POST to SSE, p50, ${sessions} sessions x ${perSession}/s, journal on`,
  against: `reference/hop.ts + reference/post-echo.ts, and ${hostMs} ms`,
  atMost: 1.2,
  whyNotYet:
    'A hook passes its host, and is checked against its schema and stored, on its way to the stream.',
};

type Round = () => Promise<number>;
type Say = (text: string) => void;

/** One round of texts over `says`, evenly spread. */
const roundOf = (says: readonly Say[], latencies: Latencies): Round => {
  return async () => {
    await paced(says.length * perSession, roundMs, (n) => says[n % says.length]?.(latencies.next()));
    return latencies.median();
  };
};

async function hookedSession(bridge: Program, n: number, latencies: Latencies): Promise<Say> {
  const session = `hook-${n}`;
  const url = bridge.text('url');
  const token = (await readFile(bridge.text('token_file'), 'utf8')).trim();
  await chatStream({ url, token, session, text: '[[hang]]' }, (text) => latencies.arrived(text));
  const runs = () => bridge.lines.some((line) => line.event === 'turn.running' && line.session === session);
  await until(`${session} to run`, runs, 20_000);
  const door = hookDoor(sessionDir(bridge.text('state_dir'), session));
  const post = poster(door.url('MessageDisplay'), door.token);
  let index = 0;
  return (text) => post(messageDisplay(index++, text), () => {});
}

async function hoppedSession(hop: Program, n: number, latencies: Latencies): Promise<Say> {
  const session = `hop-${n}`;
  const url = hop.text('url');
  await chatStream({ url, token: 'none', session, text: 'stay' }, (text) => latencies.arrived(text));
  const sender = await FrameSender.connect(hop.text('frames'), session);
  return (text) => sender.send(text);
}

async function echoedSession(echo: Program, latencies: Latencies): Promise<Say> {
  const post = poster(echo.text('url'), 'none');
  let index = 0;
  return (text) => post(messageDisplay(index++, text), (answer) => latencies.arrived(answer));
}

async function rounds(open: (n: number, latencies: Latencies) => Promise<Say>): Promise<Round> {
  const latencies = new Latencies();
  return roundOf(
    await Promise.all(Array.from({ length: sessions }, (_, n) => open(n, latencies))),
    latencies,
  );
}

export async function hook({ home, env }: Place): Promise<Row> {
  const args = ['up', '--json', '--port', '0', '--delivery', 'terminal', '--claude', shipped.simulatedClaude];
  args.push('--cwd', await home.directory('work'), '--state-dir', await home.directory('hook'));
  await using bridge = await Program.start([shipped.cli, ...args], env);
  await using hop = await Program.start([fromBench('reference/hop.ts')], env);
  await using echo = await Program.start([fromBench('reference/post-echo.ts')], env);
  const subject = await rounds((n, latencies) => hookedSession(bridge, n, latencies));
  const hopped = await rounds((n, latencies) => hoppedSession(hop, n, latencies));
  const echoed = await rounds((_, latencies) => echoedSession(echo, latencies));
  const reference = async () => (await hopped()) + (await echoed()) + hostMs;
  return judge(hookGoal, await compare({ subject, reference }, { warmup: 2, counted: 11 }));
}
