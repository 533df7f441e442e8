// `npm run test:real`: installs the real peers, builds, and runs the tests against them. Everything else goes to vitest.
// - `--latest`: the peers are the newest releases on npm. The end tells what they show differently; the exit code is that
//   of the tests, because a change alone is news.
// - `--record`: writes down what the pinned releases show.
// - `--latest --record`: the feature watch. Records the newest releases aside, and fails when they show anything that is
//   not recorded of the pinned ones.
import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { changesInWords } from '../test/recorded/changes.ts';
import { type Peer, peers, readRecording, recordings } from '../test/recorded/recording.ts';
import { watchReport } from '../test/recorded/watch-report.ts';

const root = resolve(import.meta.dirname, '..');
const latestPeers = join(root, 'test/real/latest');
const latestRecordings = join(latestPeers, 'recorded');

const recordingTest = 'test/real/recorded.test.ts';
const modes = ['--latest', '--record'];
const given = process.argv.slice(2);
const [latest, record] = modes.map((mode) => given.includes(mode));
const rest = given.filter((each) => !modes.includes(each));

/** Ends this program where another one fails. */
function must(command: string, ...args: string[]): void {
  const { status } = spawnSync(command, args, { cwd: root, stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}

function runTests(env: Record<string, string>, ...args: string[]): void {
  const all = ['run', '--project', 'real', ...args, ...rest];
  const { status } = spawnSync('vitest', all, {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, ...env },
  });
  process.exitCode = status ?? 1;
}

/** In words, for each peer, what the newest release shows differently. */
function tellChanges(): void {
  for (const [peer, name] of Object.entries(peers) as [Peer, string][])
    console.log(changesInWords(name, readRecording(peer), readRecording(peer, latestRecordings)));
}

/** Fails unless the newest release of each peer shows exactly what is recorded. */
function watch(): void {
  for (const peer of Object.keys(peers) as Peer[]) {
    const { asRecorded, words } = watchReport(
      peer,
      readRecording(peer),
      readRecording(peer, latestRecordings),
    );
    console.log(`\n${words}`);
    if (!asRecorded) process.exitCode ||= 1;
  }
}

must(process.execPath, 'scripts/install-real-peers.ts', ...(latest ? ['--latest'] : []));
must('npm', 'run', 'build');
if (latest) {
  rmSync(latestRecordings, { recursive: true, force: true });
  runTests({ REAL_PEERS: latestPeers, RECORDINGS: latestRecordings }, ...(record ? [recordingTest] : []));
  if (record) watch();
  else tellChanges();
} else if (record) {
  runTests({ RECORDINGS: recordings }, recordingTest);
} else {
  runTests({});
}
