import { beforeEach, expect, test } from 'vitest';
import { jsonLog } from '../../../../src/base/log.ts';
import { HookFeed } from '../../../../src/bridge/claude/hooks/hook-feed.ts';
import type { HostedHook } from '../../../../src/bridge/claude/host-port.ts';
import type { HookClient } from '../../../../src/bridge/claude/permission/permission-ask.ts';
import { until } from '../../../support/until.ts';
import { NoHost } from '../no-host.ts';

let host: NoHost;
let feed: HookFeed;
let read: { hook: HostedHook; body: unknown; client: HookClient }[];
let errors: unknown[];
let closing: boolean;
/** Ends a wait for the disk, oldest first. */
let disk: PromiseWithResolvers<void>[];
/** Tests replace it. */
let response: (event: string) => object | Promise<object>;

beforeEach(() => {
  host = new NoHost();
  read = [];
  errors = [];
  closing = false;
  disk = [];
  response = () => ({});
  feed = new HookFeed({
    host,
    log: jsonLog({ write: (line) => errors.push(JSON.parse(line)), wall: () => 0 }),
    isClosing: () => closing,
    read: async (hook, body, client) => {
      read.push({ hook, body, client });
      return response(hook.event);
    },
    reported: () => {
      const wait = Promise.withResolvers<void>();
      disk.push(wait);
      return wait.promise;
    },
  });
  host.attach(feed);
});

const answered = (count: number) => until(`${count} answers`, () => host.answers.length === count);
const stored = async () => {
  disk.shift()?.resolve();
  await Promise.resolve();
};

test('hooks are read in their order, and answered where somebody waits', async () => {
  response = (event) => ({ to: event });
  host.hooked('PreToolUse', { a: 1 }, { request: 'none' });
  host.hooked('PermissionRequest', { a: 2 });
  host.hooked('PostToolUse', { a: 3 });
  await answered(2);
  expect(read.map(({ body }) => (body as { a: number }).a)).toEqual([1, 2, 3]);
  expect(host.answers).toEqual([
    [2, { to: 'PermissionRequest' }],
    [3, { to: 'PostToolUse' }],
  ]);
});

test('one whose sender hung up is not answered, and who reads it is told', async () => {
  const verdict = Promise.withResolvers<object>();
  response = () => verdict.promise;
  const n = host.hooked('PermissionRequest', {});
  expect(read[0]?.client.signal.aborted).toBe(false);
  feed.gone(n);
  expect(read[0]?.client.signal.aborted).toBe(true);
  verdict.resolve({ late: true });
  response = () => ({});
  host.hooked('PostToolUse', {});
  await answered(1);
  expect(host.answers).toEqual([[2, {}]]);
});

test('who waits for the answer to be written is told then, and at once of one that was written before', () => {
  const told: string[] = [];
  const n = host.hooked('PostToolUse', {});
  read[0]?.client.onWritten(() => told.push('now'));
  expect(told).toEqual([]);
  feed.written(n);
  host.hooked('PostToolUse', {}, { request: 'written' });
  read[1]?.client.onWritten(() => told.push('before'));
  expect(told).toEqual(['now', 'before']);
});

test('one that went while no bridge was there comes with its end', () => {
  host.hooked('PermissionRequest', {}, { request: 'gone' });
  expect(read[0]?.client.signal.aborted).toBe(true);
});

test('nothing is acknowledged before it is on disk, and what came meanwhile goes with the next wait', async () => {
  for (const event of ['A', 'B', 'C']) host.hooked(event, {}, { request: 'none' });
  expect([host.kept, disk.length]).toEqual([[], 1]);
  await stored();
  expect(host.kept).toEqual(['heard 1']);
  await stored();
  expect([host.kept, disk.length]).toEqual([['heard 1', 'heard 3'], 0]);
});

test('what became of a request is on disk before the host may forget it', async () => {
  const n = host.hooked('PermissionRequest', {});
  await stored();
  expect(host.kept).toEqual(['heard 1']);
  feed.written(n);
  expect(host.kept).toEqual(['heard 1']);
  await stored();
  expect(host.kept).toEqual(['heard 1', 'heard 1', 'done 1']);
});

test('a disk that takes nothing leaves the hooks with their host', async () => {
  host.hooked('Stop', {}, { request: 'none' });
  disk.shift()?.reject(new Error('full'));
  await Promise.resolve();
  host.hooked('Stop', {}, { request: 'none' });
  expect([host.kept, disk.length]).toEqual([[], 0]);
});

test('between a Stop and the last of what was said before it, the Stop is not heard', async () => {
  host.hooked('MessageDisplay', {}, { request: 'none' });
  response = () => {
    closing = true;
    return {};
  };
  host.hooked('Stop', {}, { request: 'none' });
  expect(feed.heard).toBe(1);
  host.hooked('MessageDisplay', {}, { request: 'none' });
  expect(feed.heard).toBe(1);
  response = () => {
    closing = false;
    return {};
  };
  host.hooked('MessageDisplay', {}, { request: 'none' });
  expect(feed.heard).toBe(4);
  await stored();
  await stored();
  expect(host.kept).toEqual(['heard 1', 'heard 4']);
});

test('one that cannot be read is answered all the same, and a tool that nobody could judge does not run', async () => {
  response = () => {
    throw new Error('broken');
  };
  host.hooked('PostToolUse', {});
  host.hooked('PreToolUse', {});
  feed.came({ n: 3, event: 'Stop', body: Buffer.from('{'), request: 'open' });
  await answered(3);
  expect(host.answers.toSorted(([one], [other]) => one - other)).toMatchObject([
    [1, {}],
    [2, { hookSpecificOutput: { permissionDecision: 'deny' } }],
    [3, {}],
  ]);
  expect(errors).toHaveLength(3);
  expect(errors).toEqual(
    expect.arrayContaining([
      expect.objectContaining({
        level: 'error',
        event: 'PostToolUse',
        error: expect.objectContaining({ message: 'broken' }),
      }),
      expect.objectContaining({ level: 'error', event: 'Stop' }),
    ]),
  );
});
