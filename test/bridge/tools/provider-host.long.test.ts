import { expect, test } from 'vitest';
import { until } from '../../support/until.ts';
import { ProviderSeat } from './provider-seat.ts';

test('a provider is healthy once it has told its tools, and says so', async () => {
  const seat = await ProviderSeat.up();
  expect(seat.walk).toEqual(['healthy']);
  expect(seat.host.view).toMatchObject({ provider: 'notes', kind: 'command', tools: 1, reason: null });
  expect(seat.changes).toBe(1);
});

test('one that is killed is started again, and healthy within five seconds', async () => {
  const seat = await ProviderSeat.up();
  seat.peer.end('it was ended by SIGKILL');
  await seat.becomes('degraded', 0);
  expect(await seat.becomes('healthy')).toBeLessThan(5_000);
  expect(seat.walk).toEqual(['healthy', 'degraded: it was ended by SIGKILL', 'healthy']);
  expect(seat.peer.starts).toBe(2);
});

test('one that cannot be started any more is unavailable within five seconds, and healthy within five of being mended', async () => {
  const seat = await ProviderSeat.up();
  seat.peer.refuses = 'notes was not found';
  seat.peer.end('it ended with exit code 1');
  expect(await seat.becomes('unavailable')).toBeLessThan(5_000);
  expect(seat.walk.at(-1)).toBe('unavailable: notes was not found');
  await seat.until('some more tries', () => seat.peer.starts > 8, 60_000);
  seat.peer.refuses = undefined;
  expect(await seat.becomes('healthy')).toBeLessThan(5_000);
});

test('one that hangs is degraded, unavailable and, started again, healthy, each within five seconds', async () => {
  const seat = await ProviderSeat.up();
  seat.peer.hangs = true;
  expect(await seat.becomes('degraded')).toBeLessThan(5_000);
  expect(await seat.becomes('unavailable')).toBeLessThan(5_000);
  seat.peer.hangs = false;
  expect(await seat.becomes('healthy')).toBeLessThan(5_000);
  expect(seat.peer.kills).toBeGreaterThan(0);
  expect(seat.walk).toEqual([
    'healthy',
    'degraded: it did not answer in time',
    'unavailable: it does not answer',
    'unavailable: it did not answer, and was ended',
    'healthy',
  ]);
});

test('one that hangs over a call is left alone until nobody waits for it', async () => {
  const seat = await ProviderSeat.up({ timeoutMs: 20_000 });
  seat.peer.hangs = true;
  const call = seat.call();
  await seat.becomes('unavailable');
  await seat.until('much more time', () => seat.clock.now() > 15_000, 20_000);
  expect(seat.peer.kills).toBe(0);
  expect((await seat.call()).error).toMatchObject({ code: 'PROVIDER_UNAVAILABLE' });
  seat.peer.wake();
  expect((await call).error).toBeNull();
  await seat.becomes('healthy');
  expect(seat.peer.kills).toBe(0);
});

test('one that answers slowly is degraded until it has been quick three times', async () => {
  const seat = await ProviderSeat.up();
  seat.peer.hangs = true;
  await seat.until('a probe', () => seat.clock.now() >= 2_000);
  seat.clock.advance(700);
  seat.peer.wake();
  await seat.becomes('degraded', 0);
  expect(seat.walk.at(-1)).toBe('degraded: it answers slowly');
  expect(await seat.becomes('healthy')).toBeGreaterThan(5_900);
});

test('one that sends garbage is degraded, and forgiven after three good probes', async () => {
  const seat = await ProviderSeat.up();
  for (let line = 0; line < 100; line += 1) seat.peer.garble();
  expect(seat.walk).toEqual(['healthy', 'degraded: it sends what is no message of the protocol']);
  await seat.becomes('healthy');
  expect(seat.walk).toHaveLength(3);
});

test('one that says of itself how it is, is believed, without what does not belong into words', async () => {
  const seat = await ProviderSeat.up({ env: { KEY: 'hunter22' } });
  seat.peer.health = {
    status: 'unavailable',
    reason: 'the index at /home/alice/x is gone (hunter22)\u001b[2J',
  };
  expect(await seat.becomes('unavailable')).toBeLessThan(5_000);
  expect(seat.host.view.reason).not.toMatch(/alice|hunter22|\u001b/);
  expect(seat.host.view.reason).toContain('the index at');
  seat.peer.health = undefined;
  expect(await seat.becomes('healthy')).toBeLessThan(5_000);
});

test('one that ends again and again is left alone for longer and longer, and tried at once for a call', async () => {
  const seat = await ProviderSeat.up();
  seat.peer.refuses = 'it is broken';
  seat.peer.end('it ended');
  await seat.until('two minutes', () => seat.clock.now() > 200_000, 300_000);
  const { starts } = seat.peer;
  await seat.until('a minute more', () => seat.clock.now() > 260_000, 300_000);
  expect(seat.peer.starts - starts).toBeLessThanOrEqual(3);
  seat.peer.refuses = undefined;
  expect((await seat.call()).error).toBeNull();
});

test('tools that come later are offered, and told', async () => {
  const seat = await ProviderSeat.up();
  seat.peer.tools = [...seat.peer.tools, { name: 'more', inputSchema: { type: 'object' } }];
  seat.peer.send({ method: 'notifications/tools/list_changed' });
  await until('the new tool', () => seat.host.tools.length === 2);
  expect(seat.changes).toBe(2);
});

test('the last list of tools is kept while it is away', async () => {
  const seat = await ProviderSeat.up();
  seat.peer.refuses = 'it is broken';
  seat.peer.end('it ended');
  await seat.becomes('unavailable');
  expect(seat.host.view.tools).toBe(1);
});

test('a tool that cannot be used costs itself, and not the list', async () => {
  const seat = await ProviderSeat.up({}, (peer) => {
    peer.tools = [
      { name: 'list', inputSchema: { type: 'array' } },
      { name: 'slow', inputSchema: { type: 'object', properties: { a: { pattern: '^(a+)+$' } } } },
      { name: 'x'.repeat(120), inputSchema: { type: 'object' } },
      'nonsense',
      { name: 'a.b', inputSchema: { type: 'object' } },
      { name: 'a_b', inputSchema: { type: 'object' } },
      { name: 'good', inputSchema: { type: 'object' }, annotations: null },
    ];
  });
  expect(seat.host.tools.map(({ name }) => name)).toEqual(['notes_a_b', 'notes_good']);
  expect(seat.host.refused.map(({ why }) => why)).toEqual([
    "inputSchema.type is not 'object'",
    expect.stringContaining('inputSchema.properties.a.pattern can take for ever'),
    'its name for Claude is longer than 112 characters',
    'inputSchema is no object',
    'its name for Claude, notes_a_b, is that of another of its tools',
  ]);
});

test('a tool without any permission is refused in words', async () => {
  const seat = await ProviderSeat.up({ permissions: { other: ['net'] } });
  expect(seat.host.tools).toEqual([]);
  expect(seat.host.refused).toEqual([{ tool: 'echo', why: 'the configuration grants it no permission' }]);
});

test('a tool that says that it changes something is not run as one that only reads; the same word grants nothing', async () => {
  const hints = [{ readOnlyHint: false }, { destructiveHint: true }, { readOnlyHint: true }, {}];
  const script = (peer: ProviderSeat['peer']) => {
    const inputSchema = { type: 'object' };
    peer.tools = hints.map((annotations, at) => ({ name: `t${at}`, inputSchema, annotations }));
  };
  const reading = await ProviderSeat.up({ permissions: ['read:notes'] }, script);
  expect(reading.host.tools.map(({ tool }) => tool)).toEqual(['t2', 't3']);
  expect(reading.host.refused).toMatchObject([
    { tool: 't0', why: 'it says of itself that it changes something, and is only granted read:notes' },
    { tool: 't1' },
  ]);
  const writing = await ProviderSeat.up({ permissions: ['read:notes', 'write:notes'] }, script);
  expect(writing.host.tools.map(({ permissions }) => permissions)).toEqual(
    hints.map(() => ['read:notes', 'write:notes']),
  );
});

test('what it printed last can be read, without what does not belong into words', async () => {
  const seat = await ProviderSeat.up({ env: { KEY: 'hunter22' } });
  for (let line = 0; line < 50; line += 1) seat.peer.say(`line ${line}\n`);
  seat.peer.say('the key is hunter22 \u001b[31m');
  const { lines } = seat.host.printed;
  expect(lines).toHaveLength(20);
  expect(lines.at(-2)).toBe('line 49');
  expect(lines.at(-1)).toBe('the key is ‹secret›');
});

test('closing ends it, and nothing starts it again', async () => {
  const seat = await ProviderSeat.up();
  await seat.host.close();
  seat.clock.advance(60_000);
  expect(seat.peer.starts).toBe(1);
  expect(seat.clock.timers).toBe(0);
});

test('one that tells of other tools without end is asked once a second', async () => {
  const seat = await ProviderSeat.up();
  const lists = () => seat.peer.asked.filter((method) => method === 'tools/list').length;
  const before = lists();
  for (let told = 0; told < 1_000; told += 1) seat.peer.send({ method: 'notifications/tools/list_changed' });
  await seat.until('ten seconds', () => seat.clock.now() >= 10_000, 20_000);
  expect(lists() - before).toBe(2);
});

test('more tools than can stand in a prompt are refused, the first ones stay', async () => {
  const description = 'x'.repeat(100_000);
  const seat = await ProviderSeat.up({}, (peer) => {
    peer.tools = ['a', 'b', 'c'].map((name) => ({ name, description, inputSchema: { type: 'object' } }));
  });
  expect(seat.host.tools.map(({ tool }) => tool)).toEqual(['a', 'b']);
  expect(seat.host.refused).toMatchObject([{ tool: 'c', why: expect.stringContaining('262144 characters') }]);
});

test('one that is closed while it is being opened is ended, and asked nothing', async () => {
  const seat = new ProviderSeat();
  seat.peer.hangs = true;
  seat.host.start();
  await seat.host.close();
  expect(seat.peer.kills).toBe(1);
  expect(seat.peer.asked).toEqual([]);
});

test('one that knows no ping is healthy while it says so', async () => {
  const seat = await ProviderSeat.up({}, (peer) => {
    peer.pings = false;
  });
  await seat.until('some probes', () => seat.clock.now() > 10_000, 20_000);
  expect(seat.walk).toEqual(['healthy']);
});

test('one that cannot be reached is not asked without a pause', async () => {
  const seat = await ProviderSeat.up({ timeoutMs: 60_000 });
  seat.peer.hangs = true;
  const call = seat.call();
  await seat.until('the call', () => seat.peer.calls.length > 0);
  seat.peer.unreachable = 'nobody is there';
  const before = seat.peer.asked.length;
  await seat.until('nine seconds', () => seat.clock.now() >= 9_000);
  expect(seat.peer.asked.length - before).toBeLessThan(12);
  expect(seat.walk.at(-1)).toBe('unavailable: it does not answer');
  seat.peer.end('it ended');
  await call;
});

test('since when it is so does not change with the reason', async () => {
  const seat = await ProviderSeat.up();
  await seat.until('some time', () => seat.clock.now() > 3_000);
  seat.peer.garble();
  const { since } = seat.host.view;
  seat.peer.hangs = true;
  await seat.until('another reason', () => seat.host.view.reason === 'it did not answer in time');
  expect(seat.host.view.since).toBe(since);
});

test('only the tools that the configuration names are offered, and the others are no matter', async () => {
  const seat = await ProviderSeat.up({ tools: ['read_*'] }, (peer) => {
    peer.tools = ['read_all', 'write_all'].map((name) => ({ name, inputSchema: { type: 'object' } }));
  });
  expect(seat.host.tools.map(({ tool }) => tool)).toEqual(['read_all']);
  expect(seat.host.refused).toEqual([]);
});

test('one that says nothing to the handshake could not be started', async () => {
  const seat = new ProviderSeat();
  seat.peer.hangs = true;
  seat.host.start();
  await seat.until('it to be given up', () => seat.walk.length > 0, 40_000);
  expect(seat.walk).toEqual(['degraded: it did not answer within 30 seconds']);
});

test('a list of tools without end is read up to where it is long enough', async () => {
  const seat = await ProviderSeat.up({}, (peer) => {
    peer.nextPage = 'more';
    peer.tools = Array.from({ length: 300 }, (_, at) => ({
      name: `t${at}`,
      inputSchema: { type: 'object' },
    }));
  });
  expect(seat.peer.asked.filter((method) => method === 'tools/list')).toHaveLength(2);
});

test('a list of empty pages without end is given up', async () => {
  const seat = await ProviderSeat.up({}, (peer) => {
    peer.nextPage = 'more';
    peer.tools = [];
  });
  expect(seat.peer.asked.filter((method) => method === 'tools/list')).toHaveLength(50);
});

test('one that words its own condition anew each time is told of once, and shown as it says', async () => {
  const seat = await ProviderSeat.up();
  let behind = 0;
  Object.defineProperty(seat.peer, 'health', {
    get: () => ({ status: 'degraded', reason: `${++behind} notes behind` }),
  });
  await seat.until('many probes', () => behind > 10, 60_000);
  expect(seat.walk).toEqual(['healthy', expect.stringMatching(/^degraded: [12] notes behind$/)]);
  expect(seat.host.view.reason).toBe(`${behind} notes behind`);
});
