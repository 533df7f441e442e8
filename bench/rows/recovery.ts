// P15: a bridge is killed while an answer streams. How soon its client reads on in that answer from the next bridge, when it
// asks again as soon as somebody listens.
import { cp, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { hostFolders } from '../../src/bridge/terminal/host-folders.ts';
import { lastingPort } from '../../test/support/lasting-port.ts';
import { chatStream, type Door } from '../harness/chat-stream.ts';
import { compare } from '../harness/compare.ts';
import { type Place, shipped } from '../harness/place.ts';
import { Program } from '../harness/program.ts';
import { type Goal, judge, type Row } from '../harness/row.ts';

/** A line every 40 ms: it goes on for longer than all rounds take. */
const text = '[[lines:3000]]';
/** Between two attempts of the client, ms. */
const againMs = 5;

export const recoveryGoal: Goal = {
  id: 'P15',
  what: 'a bridge starts after a kill -9, until a client that asks again reads on in its answer',
  against: 'start to ready, same state directory, no Claude Code',
  atMost: 2,
  whyNotYet:
    'What comes on top of a start is finding the Claude Code again, and taking what it said meanwhile from its host.',
};

type Up = (stateDir: string) => Promise<Program>;

/** How far the client has read. */
interface Bookmark {
  line: number;
}

/** Resolves with a line that it has not read before. */
async function readOn(door: Door, read: Bookmark): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const onText = (part: string) => {
    const lines = [...part.matchAll(/Line (\d+)/g)].map(([, number]) => Number(number));
    const line = Math.max(0, ...lines);
    if (line <= read.line) return;
    read.line = line;
    resolve();
  };
  const { ended } = await chatStream({ ...door, session: 'killed', text }, onText);
  const over = ended.then(() => {
    throw new Error('the response ended without the rest of the answer');
  });
  await Promise.race([promise, over]);
  over.catch(() => {});
}

/** The same from a bridge that is about to listen. */
async function readOnAgain(door: Door, read: Bookmark): Promise<void> {
  for (;;) {
    try {
      return await readOn(door, read);
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'ECONNREFUSED')) throw error;
      await delay(againMs);
    }
  }
}

/** Has an answer stream, and kills the bridge. @returns its door, where the next one will be */
async function begin(up: Up, stateDir: string, read: Bookmark): Promise<Door> {
  await using bridge = await up(stateDir);
  const token = (await readFile(bridge.text('token_file'), 'utf8')).trim();
  const door = { url: bridge.text('url'), token };
  await readOn(door, read);
  await bridge.kill();
  return door;
}

export async function recovery({ home, env }: Place): Promise<Row> {
  const port = await lastingPort();
  const [cwd, state] = [await home.directory('work'), await home.directory('killed')];
  const read = { line: 0 };
  const without = join(home.path, 'alone');
  const up: Up = (dir) => {
    const args = ['up', '--json', '--port', `${port}`, '--state-dir', dir, '--cwd', cwd];
    args.push('--delivery', 'terminal', '--claude', shipped.simulatedClaude);
    return Program.start([shipped.cli, ...args], env);
  };
  try {
    const door = await begin(up, state, read);
    await cp(state, without, { recursive: true, filter: (path) => !path.endsWith('.sock') });
    for (const { name } of hostFolders(join(without, 'sessions')))
      await rm(join(without, 'sessions', name, 'host.json'));
    const subject = async () => {
      const from = performance.now();
      const [bridge, ms] = await Promise.all([
        up(state),
        readOnAgain(door, read).then(() => performance.now() - from),
      ]);
      await bridge.kill();
      return ms;
    };
    const reference = async () => {
      await using bridge = await up(without);
      await bridge.kill();
      return bridge.readyMs;
    };
    return judge(recoveryGoal, await compare({ subject, reference }, { warmup: 1, counted: 5 }));
  } finally {
    for (const { file } of hostFolders(join(state, 'sessions'))) process.kill(file.pid, 'SIGKILL');
  }
}
