// `npm run test:real`: installs the real peers, builds, and runs the tests against them. With `--latest` the peers are
// the newest releases on npm, and what they show differently is told at the end; with `--record` the pinned ones are
// written down. Everything else goes to vitest. The exit code is that of the tests: a change alone is news.
import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { changesInWords } from '../test/recorded/changes.ts';
import { type Peer, peers, readRecording, recordings } from '../test/recorded/recording.ts';

const root = resolve(import.meta.dirname, '..');
const latestPeers = join(root, 'test/real/latest');
const latestRecordings = join(latestPeers, 'recorded');

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

if (latest && record) {
  console.error('--record writes down what the pinned releases show: move the pin first, then record.');
  process.exit(2);
}
must(process.execPath, 'scripts/install-real-peers.ts', ...(latest ? ['--latest'] : []));
must('npm', 'run', 'build');
if (record) {
  runTests({ RECORDINGS: recordings }, 'test/real/recorded.test.ts');
} else if (latest) {
  rmSync(latestRecordings, { recursive: true, force: true });
  runTests({ REAL_PEERS: latestPeers, RECORDINGS: latestRecordings });
  tellChanges();
} else {
  runTests({});
}
