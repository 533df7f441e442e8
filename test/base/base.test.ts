import { expect, test } from 'vitest';
import { hashId } from '../../src/base/digest.ts';
import { newId, newToken } from '../../src/base/ids.ts';
import { jsonLog, PrivateText } from '../../src/base/log.ts';
import { backoff } from '../../src/base/time/backoff.ts';
import { Heartbeat } from '../../src/base/time/heartbeat.ts';
import { Mailboxes } from '../../src/base/waiting/mailbox.ts';
import { Pending } from '../../src/base/waiting/pending.ts';
import { GatewayCallError } from '../../src/bridge/openclaw/gateway/gateway-call-error.ts';
import { ManualClock } from '../support/manual-clock.ts';

test('a wait ends exactly once: by its answer, its deadline or the close of the table', async () => {
  const clock = new ManualClock();
  const pending = new Pending<string>(clock);
  const answered = pending.open('a', 1_000);
  const late = pending.open('b', 1_000);
  const closed = pending.open('c', 5_000);
  expect(() => pending.open('c', 1)).toThrow('already waiting');
  expect(pending.settle('a', 'yes')).toBe(true);
  expect(pending.settle('a', 'again')).toBe(false);
  clock.advance(1_000);
  pending.closeAll('the bridge stops');
  await expect(answered).resolves.toBe('yes');
  await expect(late).rejects.toMatchObject({ code: 'timeout' });
  await expect(closed).rejects.toMatchObject({ code: 'closed', message: 'the bridge stops' });
  expect([pending.size, clock.timers]).toEqual([0, 0]);
});

test('backoff doubles up to its bound and jitter only shortens it', () => {
  const options = { baseMs: 1_000, factor: 2, maxMs: 30_000 };
  expect([1, 2, 3, 4, 5, 6, 7].map((n) => backoff(options, n))).toEqual([
    1e3, 2e3, 4e3, 8e3, 16e3, 30e3, 30e3,
  ]);
  expect(backoff({ ...options, jitter: 0.5 }, 1, () => 0.999)).toBeGreaterThanOrEqual(500);
});

test('a peer that misses two pings is declared dead once; one that answers never is', () => {
  const clock = new ManualClock();
  const seen: string[] = [];
  const heart = new Heartbeat(clock, {
    everyMs: 30_000,
    misses: 2,
    ping: () => seen.push('ping'),
    dead: () => seen.push('dead'),
  });
  heart.start();
  clock.advance(30_000);
  heart.alive();
  clock.advance(200_000);
  expect(seen).toEqual(['ping', 'ping', 'ping', 'dead']);
});

test('tasks of one key never overlap, and a failing one does not stop the next', async () => {
  const boxes = new Mailboxes();
  const trace: string[] = [];
  const slow = (name: string) => async () => {
    trace.push(`${name} in`);
    await Promise.resolve();
    trace.push(`${name} out`);
    if (name === 'b') throw new Error('b failed');
  };
  const results = await Promise.allSettled([
    boxes.run('k', slow('a')),
    boxes.run('k', slow('b')),
    boxes.run('k', slow('c')),
  ]);
  expect(trace).toEqual(['a in', 'a out', 'b in', 'b out', 'c in', 'c out']);
  expect(results.map((r) => r.status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
});

test('ids are alphanumeric and tokens are long', () => {
  expect(newId('t')).toMatch(/^t[a-z0-9]{14}$/);
  expect(newToken().length).toBe(43);
  expect(hashId('../../etc', 12)).toMatch(/^[0-9a-f]{12}$/);
});

test('a log tells the length of what people wrote, and of an error that quotes it, unless texts are asked for', () => {
  const quoting = () => {
    try {
      return JSON.parse('{"secret": quokka}');
    } catch (error) {
      return error;
    }
  };
  const refused = new GatewayCallError('refused', 'cannot send "quokka"');
  const fields = {
    text: new PrivateText('quokka'),
    deep: [{ text: new PrivateText('quokka') }],
    bad: quoting(),
    refused,
  };
  const lineWith = (texts: boolean) => {
    let written = '';
    const write = (line: string) => {
      written = line;
    };
    jsonLog({ write, wall: () => 0, texts }).warn('trouble', { ...fields, error: new Error('ENOSPC') });
    return written;
  };
  expect(lineWith(false)).not.toContain('quokka');
  expect(JSON.parse(lineWith(false))).toMatchObject({
    text: '(6 characters)',
    deep: [{ text: '(6 characters)' }],
    bad: { name: 'SyntaxError', message: expect.stringMatching(/^\(\d+ characters\)$/) },
    refused: { name: 'GatewayCallError', code: 'refused', message: '(20 characters)' },
    error: { message: 'ENOSPC' },
  });
  expect(JSON.parse(lineWith(true))).toMatchObject({
    text: 'quokka',
    bad: { message: expect.stringContaining('quokka') },
    refused: { message: 'cannot send "quokka"', stack: expect.stringContaining('quokka') },
  });
});

test('a log line stays one line whatever the message holds', () => {
  const lines: string[] = [];
  const log = jsonLog({ write: (line) => lines.push(line), wall: () => 0 }).child({ session: 's1' });
  log.warn('two\nlines', { cause: new Error('boom') });
  log.debug('not shown');
  expect(lines).toHaveLength(1);
  expect(lines[0]?.indexOf('\n')).toBe((lines[0]?.length ?? 0) - 1);
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({
    session: 's1',
    level: 'warn',
    cause: { message: 'boom' },
  });
});
