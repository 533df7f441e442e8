// H5: what it costs a start that Claude Codes of a bridge that was killed are there.
import { cp, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { hostFolders } from '../../src/bridge/terminal/host-folders.ts';
import { lastingPort } from '../../test/support/lasting-port.ts';
import { until } from '../../test/support/until.ts';
import { chatStream } from '../harness/chat-stream.ts';
import { compare } from '../harness/compare.ts';
import { type Place, shipped } from '../harness/place.ts';
import { Program } from '../harness/program.ts';
import { type Goal, judge, type Row } from '../harness/row.ts';

const sessions = 20;
/** From when the bridge is ready until every Claude Code goes on, ms. */
const adoptedMs = 1_000;

export const adoptingGoal: Goal = {
  id: 'H5',
  what: `synthesis up, start to ready, ${sessions} Claude Codes to go on with`,
  against: 'the same sessions, and no Claude Code',
  atMost: 2,
  whyNotYet: 'Hosts are asked one after the other, or a start waits for what they kept.',
};

const isOf = (event: string) => (line: Record<string, unknown>) => line.event === event;

/** Fills it with sessions whose Claude Codes are in a turn, and kills their bridge. */
async function begin(up: () => Promise<Program>): Promise<void> {
  await using bridge = await up();
  const [url, file] = [bridge.text('url'), bridge.text('token_file')];
  const token = (await readFile(file, 'utf8')).trim();
  for (let n = 0; n < sessions; n += 1)
    await chatStream({ url, token, session: `hosted-${n}`, text: '[[hang]]' }, () => {});
  await until('turns', () => bridge.lines.filter(isOf('turn.running')).length === sessions, 120_000);
  await bridge.kill();
}

export async function adopting({ home, env }: Place): Promise<Row> {
  const port = await lastingPort();
  const [cwd, state] = [await home.directory('work'), await home.directory('hosted')];
  const without = join(home.path, 'alone');
  const up = (dir: string) => () => {
    const args = ['up', '--json', '--port', `${port}`, '--state-dir', dir, '--cwd', cwd];
    args.push('--delivery', 'terminal', '--claude', shipped.simulatedClaude);
    return Program.start([shipped.cli, ...args], env);
  };
  /** @throws when not as many go on in time */
  const readyMs = async (dir: string, adopted: number) => {
    await using bridge = await up(dir)();
    const isAll = () => bridge.lines.filter(isOf('agent.adopted')).length === adopted;
    await until(`${adopted} Claude Codes to go on`, isAll, adoptedMs);
    await bridge.kill();
    return bridge.readyMs;
  };
  try {
    await begin(up(state));
    await cp(state, without, { recursive: true, filter: (path) => !path.endsWith('.sock') });
    for (const { name } of hostFolders(join(without, 'sessions')))
      await rm(join(without, 'sessions', name, 'host.json'));
    const contenders = { subject: () => readyMs(state, sessions), reference: () => readyMs(without, 0) };
    return judge(adoptingGoal, await compare(contenders, { warmup: 1, counted: 9 }));
  } finally {
    for (const { file } of hostFolders(join(state, 'sessions'))) process.kill(file.pid, 'SIGKILL');
  }
}
