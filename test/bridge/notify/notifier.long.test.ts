// The operator's own program, as it is run: real programs, what they get, and what becomes of bad ones.

import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { isRunning } from '../../../src/base/process/process-identity.ts';
import { Notifier, type NotifierOptions } from '../../../src/bridge/notify/notifier.ts';
import type { SessionEvent } from '../../../src/protocol/events/events.ts';
import { noMasks } from '../../support/no-masks.ts';
import { until } from '../../support/until.ts';
import { tempDir } from '../journal/temp-dir.ts';

function program(name: string, script: string): string {
  const file = join(tempDir(), name);
  writeFileSync(file, `#!/bin/sh\n${script}\n`);
  chmodSync(file, 0o755);
  return file;
}

function notifying(command: readonly string[], more: Partial<NotifierOptions> = {}) {
  const warned: string[] = [];
  const log = { debug() {}, info() {}, error() {}, child: () => log } as unknown as NotifierOptions['log'];
  log.warn = (_, fields) => void warned.push(String(fields?.words));
  const notifier = new Notifier({
    command,
    longTurnMs: 60_000,
    env: process.env,
    journal: { durable: async () => {} },
    isOpen: () => true,
    log,
    masks: noMasks,
    ...more,
  });
  onTestFinished(() => notifier.close());
  let seq = 0;
  const happens = (event: SessionEvent) => notifier.observe({ seq: ++seq, at: 0, session: 'ops:one', event });
  const asks = (command: string, code = 'kmqtr') =>
    happens({ type: 'permission.asked', code, tool: 'Bash', input: { command }, expires_at: 0 });
  return { notifier, warned, happens, asks };
}

const read = (file: string): string => (existsSync(file) ? readFileSync(file, 'utf8') : '');

test('a notify-send is given the title and the words as they are, whatever they look like', async () => {
  const told = join(tempDir(), 'told');
  const stand = program('notify-send', `printf '%s|' "$@" > ${told}.part && mv ${told}.part ${told}`);
  const script = program('call-me', `exec ${stand} -- "$SYNTHESIS_TITLE" "$SYNTHESIS_TEXT"`);
  const { asks } = notifying([script]);
  asks('--help; $(touch /tmp/owned) "quoted"\n`second` line');
  await until('the notification', () => read(told));
  expect(read(told)).toBe(
    '--|Claude asks for permission: Bash|--help; $(touch /tmp/owned) "quoted"\n`second` line|',
  );
});

test('curl posts to a server in the way of ntfy, and a text that looks like a file name is no file', async () => {
  const posts: { url?: string; title?: unknown; body: string }[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk) => {
      body += chunk;
    });
    request.on('end', () => {
      posts.push({ url: request.url ?? '', title: request.headers.title, body });
      response.end('{}');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const post = `exec curl -fsS --max-time 8 -H "Title: $SYNTHESIS_TITLE" --data-raw "$SYNTHESIS_TEXT" "http://127.0.0.1:${port}/my-topic"`;
  const { asks, notifier } = notifying(['sh', '-c', post]);
  asks('@/etc/passwd');
  await until('the post', () => posts.length);
  expect(posts).toEqual([
    { url: '/my-topic', title: 'Claude asks for permission: Bash', body: '@/etc/passwd' },
  ]);
  expect(notifier.health).toEqual([]);
});

test('the whole of it is in the environment, and nothing is left of what the bridge was given under these names', async () => {
  const told = join(tempDir(), 'told');
  const script = program(
    'call-me',
    `env | grep ^SYNTHESIS_ | sort > ${told}.part && mv ${told}.part ${told}`,
  );
  const { happens } = notifying([script], { env: { PATH: process.env.PATH, SYNTHESIS_CODE: 'other' } });
  happens({ type: 'turn.settled', turn: 't', outcome: 'failed', code: 'exited' });
  await until('the program', () => read(told));
  expect(read(told).split('\n').filter(Boolean)).toEqual([
    'SYNTHESIS_CODE=',
    'SYNTHESIS_EVENT=failed',
    'SYNTHESIS_SESSION=ops:one',
    'SYNTHESIS_TEXT=exited',
    'SYNTHESIS_TITLE=A message got no answer',
  ]);
});

test('nothing is told before it is on disk, nor what never will be, nor a question that was answered meanwhile', async () => {
  const told = join(tempDir(), 'told');
  const disk = [Promise.withResolvers<void>(), Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const open = new Set(['aaaaa', 'ccccc']);
  const script = program('call-me', `echo $SYNTHESIS_CODE >> ${told}`);
  const { asks } = notifying([script], {
    journal: { durable: (seq) => disk[seq - 1]?.promise ?? Promise.resolve() },
    isOpen: (_, code) => open.has(code),
  });
  for (const code of ['aaaaa', 'bbbbb', 'ccccc', 'ddddd']) asks('ls', code);
  disk[1]?.resolve();
  disk[2]?.reject(new Error('the disk is gone'));
  await new Promise((resolve) => setImmediate(resolve));
  expect(read(told)).toBe('');
  disk[0]?.resolve();
  await until('the first', () => read(told));
  expect(read(told)).toBe('aaaaa\n');
});

test('rows from before the start are told to nobody, but the length of a turn counts from its beginning', async () => {
  const told = join(tempDir(), 'told');
  const { notifier } = notifying([program('call-me', `echo $SYNTHESIS_EVENT >> ${told}`)]);
  const row = (at: number, event: SessionEvent) => ({ seq: 1, at, session: 's', event });
  notifier.load(row(0, { type: 'permission.asked', code: 'kmqtr', tool: 'Bash', input: {}, expires_at: 0 }));
  notifier.load(row(0, { type: 'turn.queued', turn: 't', ingress: 'openai', text: 'x', meta: {} }));
  notifier.load(row(0, { type: 'turn.running', turn: 't' }));
  notifier.observe(row(70_000, { type: 'turn.settled', turn: 't', outcome: 'completed' }));
  await until('the end', () => read(told));
  expect(read(told)).toBe('done\n');
});

test('a program that hangs is killed at its deadline with all that it started, and its failure is said once', async () => {
  const pids = join(tempDir(), 'pids');
  const hangs = program('hangs', `sleep 1000 & echo $! >> ${pids}; wait`);
  const { asks, notifier, warned } = notifying([hangs], { timeoutMs: 300 });
  asks('one');
  asks('two', 'bbbbb');
  const started = await until('both', () => {
    const lines = read(pids).split('\n').filter(Boolean);
    return lines.length === 2 && lines.map(Number);
  });
  await until('the words', () => warned.length);
  await until('their ends', () => started.every((pid) => !isRunning(pid)));
  await until('both ends', () => notifier.health.length);
  expect(warned).toEqual([`${hangs} did not end within 0.3 s`]);
  expect(notifier.health).toMatchObject([
    { code: 'notify', words: expect.stringContaining('did not end within 0.3 s') },
  ]);
});

test.each([
  ['is missing', ['/nowhere/at-all'], '/nowhere/at-all was not found'],
  ['fails', ['sh', '-c', 'exit 4'], 'sh ended with exit code 4'],
  ['cannot be named', ['a\u0000b'], 'could not be run'],
])('one that %s is said in words', async (_what, command, words) => {
  const { asks, warned } = notifying(command);
  asks('ls');
  await until('the words', () => warned.length);
  expect(warned[0]).toContain(words);
});

test('what works again is no trouble any more', async () => {
  const flag = join(tempDir(), 'flag');
  const { asks, notifier } = notifying([program('call-me', `test -e ${flag}`)]);
  asks('one');
  await until('the trouble', () => notifier.health.length);
  writeFileSync(flag, '');
  asks('two');
  await until('its end', () => notifier.health.length === 0);
});

test('a thousand at once are two programs at once at most, and what is left out is said', async () => {
  const dir = tempDir();
  const script = program('call-me', `echo b >> ${dir}/log; sleep 0.05; echo e >> ${dir}/log`);
  const { asks, warned } = notifying([script]);
  for (let at = 0; at < 1000; at += 1) asks('ls');
  const marks = await until('all of them', () => {
    const all = read(join(dir, 'log')).split('\n').filter(Boolean);
    return all.length > 0 && all.filter((mark) => mark === 'e').length >= 20 && all;
  });
  let most = 0;
  let now = 0;
  for (const mark of marks) {
    now += mark === 'b' ? 1 : -1;
    most = Math.max(most, now);
  }
  // On a busy machine one may be over before the next begins.
  expect(most).toBeLessThanOrEqual(2);
  expect(marks.length).toBeLessThanOrEqual(2 * 22);
  expect(warned).toEqual(['there were too many notices at once, and some were left out']);
});

test('closing ends what runs and begins nothing more', async () => {
  const pids = join(tempDir(), 'pids');
  const { asks, notifier, warned } = notifying([program('hangs', `echo $$ >> ${pids}; sleep 1000`)]);
  for (let at = 0; at < 5; at += 1) asks('ls');
  await until('two', () => read(pids).split('\n').length === 3);
  await notifier.close();
  for (const pid of read(pids).split('\n').filter(Boolean)) expect(isRunning(Number(pid))).toBe(false);
  expect(read(pids).split('\n')).toHaveLength(3);
  expect(warned).toEqual([]);
});
