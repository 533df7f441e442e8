// What a provider tells of a call while it runs.
import type { Progress } from '@modelcontextprotocol/sdk/types.js';
import { describe, expect, test } from 'vitest';
import { ProgressNotes } from '../../../src/bridge/tools/progress-notes.ts';
import { progressWords } from '../../../src/bridge/tools/words/progress-words.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { cpuMs } from './cpu.ts';
import { escapes, leaks, paths, secrets, stacks, tokens, unseen } from './hostile.ts';
import { ProviderSeat } from './provider-seat.ts';
import type { ScriptedProvider } from './scripted-provider.ts';

describe('words', () => {
  test.each<[Progress, string]>([
    [{ progress: 3, total: 10 }, '3 of 10'],
    [{ progress: 0, total: 10 }, '0 of 10'],
    [{ progress: 0.3, total: 1 }, '30 %'],
    [{ progress: 1.5, total: 1 }, '100 %'],
    [{ progress: 1e300, total: 1e301 }, '10 %'],
    [{ progress: 3 }, '3 so far'],
    [{ progress: 0 }, ''],
    [{ progress: 0.3 }, ''],
    [{ progress: 1e300 }, ''],
    [{ progress: -3, total: 10 }, ''],
    [{ progress: 3, total: 0 }, ''],
    [{ progress: 3, total: -10 }, ''],
    [{ progress: 3, total: 10, message: 'reads the notes' }, 'reads the notes'],
    [{ progress: 3, total: 10, message: ' \n\t' }, '3 of 10'],
    [{ progress: 3, total: 10, message: '\u001b[2J\u200b' }, '3 of 10'],
    [{ progress: 3, message: ' two\nlines,\u2003 blanks ' }, 'two lines, blanks'],
  ])('%j is %j', (told, words) => expect(progressWords(told, [])).toBe(words));

  const said = (message: string, given: readonly string[] = secrets) =>
    progressWords({ progress: 1, message }, given);

  test('are cut, and no character with them', () => {
    expect(said('x'.repeat(200))).toBe('x'.repeat(200));
    expect(said('x'.repeat(201))).toBe(`${'x'.repeat(199)}…`);
    expect(said(`${'x'.repeat(198)}😀😀`)).toBe(`${'x'.repeat(198)}…`);
    expect(said('a b '.repeat(1_000_000)).length).toBe(200);
  });

  test.each(tokens)('%s does not come through', (token) =>
    expect(said(`reads ${token}!`)).not.toContain(token),
  );
  test.each(paths)('%s does not come through', (path) => expect(said(`reads ${path}`)).not.toMatch(leaks));
  test.each(stacks)('%j does not come through', (stack) =>
    expect(said(`It broke.\n${stack}\nIt did.`)).not.toMatch(leaks),
  );
  test.each(escapes)('%j does not come through', (text) => expect(said(`a ${text} b`)).not.toMatch(unseen));

  test('no secret is put together by joining lines', () => {
    expect(said('is my\nlittle\n secret', ['my little secret'])).toBe('is ‹secret›');
    expect(said('Authorization: Bearer\nabcdef')).not.toContain('abcdef');
  });
});

describe('notes', () => {
  const noted = () => {
    const clock = new ManualClock();
    const [read, told]: [string[], string[]] = [[], []];
    const notes = new ProgressNotes({
      clock,
      words: ({ message = '' }) => {
        read.push(message);
        return message;
      },
      tell: (words) => told.push(words),
    });
    return { clock, notes, read, told, say: (message: string) => notes.told({ progress: 1, message }) };
  };

  test('the first is passed on at once, and of each second after it the newest', () => {
    const { clock, told, say } = noted();
    say('a');
    say('b');
    say('c');
    expect(told).toEqual(['a']);
    clock.advance(999);
    expect(told).toEqual(['a']);
    clock.advance(1);
    expect(told).toEqual(['a', 'c']);
    say('d');
    expect(told).toEqual(['a', 'c']);
    clock.advance(1_000);
    clock.advance(5_000);
    say('e');
    expect(told).toEqual(['a', 'c', 'd', 'e']);
  });

  test('a flood is not read, and costs next to nothing', () => {
    const { clock, notes, read, told } = noted();
    const message = 'x'.repeat(10_000);
    const cost = cpuMs(() => {
      for (let n = 0; n < 100_000; n += 1) notes.told({ progress: n, message: `${n} ${message}` });
    });
    expect(read).toHaveLength(1);
    expect(cost).toBeLessThan(250);
    expect(clock.timers).toBe(1);
    clock.advance(1_000);
    expect(told.map((words) => words.split(' ')[0])).toEqual(['0', '99999']);
  });

  test('what says nothing, or nothing new, is not passed on, and not read more often either', () => {
    const { clock, read, told, say } = noted();
    for (const message of ['', 'a', 'a', '', 'a', 'b', 'b']) {
      for (let n = 0; n < 50; n += 1) say(message);
      clock.advance(1_000);
      clock.advance(1_000);
    }
    expect(told).toEqual(['a', 'b']);
    expect(read).toHaveLength(14);
  });

  test('there is one timer at most, and none once the call is over or is silent', () => {
    const { clock, notes, told, say } = noted();
    expect(clock.timers).toBe(0);
    say('a');
    clock.advance(1_000);
    expect(clock.timers).toBe(0);
    say('b');
    say('c');
    expect(clock.timers).toBe(1);
    notes.close();
    expect(clock.timers).toBe(0);
    say('d');
    clock.advance(10_000);
    notes.close();
    expect([told, clock.timers]).toEqual([['a', 'b'], 0]);
  });

  test('what comes first when the call is over is too late as well', () => {
    const { clock, notes, told, say } = noted();
    notes.close();
    say('a');
    expect([told, clock.timers]).toEqual([[], 0]);
  });
});

describe('a call', () => {
  /** One that the provider works on until the test answers. */
  const running = async (entry = {}, script?: (peer: ScriptedProvider) => void) => {
    const seat = await ProviderSeat.up(entry, script);
    seat.peer.onCall = () => undefined;
    const timers = seat.clock.timers;
    const told: string[] = [];
    const stop = new AbortController();
    const call = seat.call('notes_echo', {}, stop.signal, (words) => told.push(words));
    await seat.until('the call', () => seat.peer.calls.length > 0);
    return { seat, peer: seat.peer, clock: seat.clock, timers, told, stop, call };
  };

  const answer = { content: [{ type: 'text', text: 'done' }] };
  const settle = async () => {
    for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  };

  test('tells how far it is, until its answer', async () => {
    const { peer, clock, timers, told, call } = await running({ env: { KEY: 'hunter22' } });
    peer.progress({ progress: 1, total: 3 });
    peer.progress({ progress: 2, message: 'reads hunter22' });
    await settle();
    clock.advance(1_000);
    peer.progress({ progress: 3, message: 'too late' });
    await settle();
    expect(clock.timers).toBe(timers + 2);
    peer.send({ id: peer.calls[0]?.id, result: answer });
    expect((await call).data).toBe('done');
    expect(clock.timers).toBe(timers);
    peer.progress({ progress: 4, message: 'after the end' });
    await settle();
    clock.advance(1_000);
    expect(told).toEqual(['1 of 3', 'reads ‹secret›']);
  });

  test('that is taken back tells nothing more', async () => {
    const { peer, clock, timers, told, stop, call } = await running();
    peer.progress({ progress: 1 });
    peer.progress({ progress: 2 });
    await settle();
    stop.abort();
    expect((await call).error?.code).toBe('CANCELLED');
    peer.progress({ progress: 3 });
    await settle();
    expect(clock.timers).toBe(timers);
    clock.advance(1_000);
    expect(told).toEqual(['1 so far']);
  });

  test('of another request is not taken for it', async () => {
    const { peer, told } = await running();
    for (const progressToken of [-1, 0, 'x', '__proto__', 1e9])
      peer.send({ method: 'notifications/progress', params: { progressToken, progress: 1 } });
    peer.send({ method: 'notifications/progress', params: { progress: 'half' } });
    await settle();
    expect(told).toEqual([]);
  });

  test('that is repeated is paced as one', async () => {
    const { seat, peer, clock, timers, told, call } = await running({}, (scripted) => {
      scripted.tools = [
        { name: 'echo', inputSchema: { type: 'object' }, annotations: { idempotentHint: true } },
      ];
    });
    peer.progress({ progress: 1 });
    await settle();
    const begun = clock.now();
    peer.end('it was ended by SIGKILL');
    await seat.until('the second try', () => peer.calls.length === 2, 3_000);
    peer.progress({ progress: 2 });
    await settle();
    expect([told, clock.now() - begun < 1_000]).toEqual([['1 so far'], true]);
    clock.advance(1_000);
    expect(told).toEqual(['1 so far', '2 so far']);
    peer.send({ id: peer.calls[1]?.id, result: answer });
    expect((await call).data).toBe('done');
    expect(clock.timers).toBe(timers);
  });

  test('that nobody listens to is not asked to tell', async () => {
    const seat = await ProviderSeat.up();
    await seat.call();
    expect(seat.peer.calls.map(({ params }) => params)).toEqual([{ name: 'echo', arguments: {} }]);
  });
});
