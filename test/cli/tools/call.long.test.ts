// tools call: what is sent, what is printed, and with which exit code it ends.
import { once } from 'node:events';
import { describe, expect, test } from 'vitest';
import { toolsCall } from '../../../src/cli/commands/tools/call.ts';
import { exitCodes } from '../../../src/cli/exit-codes.ts';
import type { Envelope } from '../../../src/protocol/envelope.ts';
import { escapePayloads } from '../escape-payloads.ts';
import { forbidden, healthyEnvelope, toolOf, viewOf, World } from './world.ts';

const failed = (code: string, about: Partial<Envelope> = {}): Envelope =>
  healthyEnvelope(null, {
    status: 'unavailable',
    error: { code, message: 'It broke.', recoverable: true, suggestion: 'Mend it.' },
    ...about,
  });

async function withNotes(answer: Envelope): Promise<World> {
  const world = await World.withBridge(viewOf('notes'));
  world.desk.answer = async () => answer;
  return world;
}

describe('what is printed', () => {
  test.each([
    ['text as it is', 'two\nlines', 'two\nlines\n'],
    ['text with its end of line', 'one\n', 'one\n'],
    ['everything else as JSON', { hits: [1, 'a'] }, '{\n  "hits": [\n    1,\n    "a"\n  ]\n}\n'],
    ['a number', 7, '7\n'],
  ])('%s', async (_, data, out) => {
    await using world = await withNotes(healthyEnvelope(data));
    expect(await world.run('tools', 'call', 'notes', 'find')).toEqual({ code: 0, out, err: '' });
  });

  test('a tool that gives nothing back is said to be done', async () => {
    await using world = await withNotes(healthyEnvelope(null));
    expect(await world.run('tools', 'call', 'notes', 'find')).toEqual({
      code: 0,
      out: '',
      err: 'Done; it gave nothing back.\n',
    });
  });

  test('--json is the envelope exactly, on one line, and the exit code still tells', async () => {
    const envelope = failed('TIMEOUT');
    await using world = await withNotes(envelope);
    const { code, out, err } = await world.run('tools', 'call', 'notes', 'find', '--json');
    expect(out).toBe(`${JSON.stringify(envelope)}\n`);
    expect([code, err]).toEqual([exitCodes.timeout, '']);
  });

  test('no escape sequence of a result or an error reaches the terminal', async () => {
    for (const { text } of escapePayloads) {
      const foreign = `a${text}b`;
      const error = { code: foreign, message: foreign, recoverable: true, suggestion: foreign };
      for (const data of [foreign, { [foreign]: foreign }]) {
        await using world = await withNotes(healthyEnvelope(data, { status: 'degraded', error }));
        for (const json of [[], ['--json']]) {
          const { out, err } = await world.run('tools', 'call', 'notes', 'find', ...json);
          expect(out).not.toBe('');
          expect(out + err).not.toMatch(forbidden);
          // An error is two rows, whatever it holds.
          expect(err.trimEnd().split('\n')).toHaveLength(json.length > 0 ? 1 : 2);
        }
      }
    }
  });
});

describe('how it ends', () => {
  test.each([
    [failed('TOOL_FAILED'), exitCodes.failure],
    [failed('OLLAMA_UNREACHABLE', { status: 'degraded', data: ['some'] }), exitCodes.degraded],
    [healthyEnvelope('some', { status: 'degraded' }), exitCodes.degraded],
    [failed('INVALID_ARGUMENTS'), exitCodes.usage],
    [failed('TIMEOUT'), exitCodes.timeout],
    [failed('NO_SUCH_TOOL'), exitCodes.not_found],
    [failed('PERMISSION_MISSING'), exitCodes.denied],
    [failed('CANCELLED'), exitCodes.interrupted],
    [failed('CONSTRUCTOR'), exitCodes.failure],
  ])('$status $error.code', async (envelope, code) => {
    await using world = await withNotes(envelope);
    const run = await world.run('tools', 'call', 'notes', 'find');
    expect(run.code).toBe(code);
    if (envelope.error) expect(run.err).toContain(`${envelope.error.code}: It broke.\nMend it.\n`);
    else expect(run.err).toContain('less than it could be');
    expect(run.out === '').toBe(envelope.data === null);
  });

  test('a tool that there is not is answered with the nearest, also when it is called as Claude does', async () => {
    await using world = await withNotes(failed('NO_SUCH_TOOL'));
    const tools = [toolOf('notes_find', { tool: 'find' }), toolOf('notes_drop', { tool: 'drop' })];
    world.desk.details.set('notes', { provider: viewOf('notes'), tools, refused: [], printed: [] });
    for (const typo of ['fnid', 'notes_find'])
      expect((await world.run('tools', 'call', 'notes', typo)).err).toContain('Did you mean find?');
    const far = await world.run('tools', 'call', 'notes', 'xyzzy');
    expect(far.err).toContain('All of its tools: synthesis tools inspect notes');
  });

  test('a provider that there is not is answered with the nearest, and nothing is called', async () => {
    await using world = await withNotes(healthyEnvelope(1));
    expect(await world.run('tools', 'call', 'ntoes', 'find')).toEqual({
      code: exitCodes.not_found,
      out: '',
      err: 'There is no provider "ntoes". Nothing was called.\nDid you mean notes?\n',
    });
    expect(world.desk.calls).toEqual([]);
  });

  test('without a bridge it says so', async () => {
    await using world = new World();
    const { code, err } = await world.run('tools', 'call', 'notes', 'find');
    expect(code).toBe(exitCodes.not_running);
    expect(err).toContain('synthesis up');
  });
});

async function* bytes(...parts: string[]) {
  for (const part of parts) yield Buffer.from(part);
}

describe('its arguments', () => {
  test('are none when left out, and JSON from the command line or standard input', async () => {
    await using world = await withNotes(healthyEnvelope('ok'));
    await world.run('tools', 'call', 'notes', 'find');
    await world.run('tools', 'call', 'notes', 'find', '{"text":"ä","n":[1]}');
    const about = { state: world.state, provider: 'notes', tool: 'find', json: false };
    const { out } = await world.printed(() =>
      toolsCall({ ...about, args: '-', input: bytes('{"from":', '"stdin"}\n') }),
    );
    expect(out).toBe('ok\n');
    expect(world.desk.calls).toEqual(
      [{}, { text: 'ä', n: [1] }, { from: 'stdin' }].map((args) => ({
        provider: 'notes',
        tool: 'find',
        args,
      })),
    );
  });

  test.each([
    ['{"text":', 'Write them as one JSON object'],
    ['text=rent', 'Write them as one JSON object'],
    ['', 'Write them as one JSON object'],
    ['[1]', 'a list is no object'],
    ['"rent"', 'a string is no object'],
    ['null', 'null is no object'],
    [`${'{"a":'.repeat(200_000)}1${'}'.repeat(200_000)}`, 'nested too deep'],
    [JSON.stringify({ text: 'x'.repeat(8 * 1024 * 1024) }), 'longer than a bridge takes'],
    ['{"\u001b]0;x\u0007":', 'Write them as one JSON object'],
  ])('that are wrong are refused before anything is called: %.20s', async (args, words) => {
    await using world = await withNotes(healthyEnvelope('ok'));
    const { code, out, err } = await world.run('tools', 'call', 'notes', 'find', args);
    expect([code, out]).toEqual([exitCodes.usage, '']);
    expect(err).toContain('Nothing was called.');
    expect(err).toContain(words);
    expect(err).not.toMatch(forbidden);
    expect(world.desk.calls).toEqual([]);
  });
});

test('a call that is taken back is taken back at the bridge, and its end is told', async () => {
  await using world = await World.withBridge(viewOf('notes'));
  const taken = Promise.withResolvers<void>();
  world.desk.answer = async (signal) => {
    taken.resolve();
    await once(signal, 'abort');
    return failed('CANCELLED');
  };
  const interrupt = new AbortController();
  const about = { state: world.state, provider: 'notes', tool: 'find', args: '{}', json: false };
  const run = world.printed(() => toolsCall({ ...about, signal: interrupt.signal }));
  await taken.promise;
  interrupt.abort();
  expect(await run).toEqual({
    code: exitCodes.interrupted,
    out: '',
    err: 'CANCELLED: It broke.\nMend it.\n',
  });
});

test('Ctrl-C takes the call back, and nothing of it is left behind', async () => {
  await using world = await World.withBridge(viewOf('notes'));
  const taken = Promise.withResolvers<void>();
  world.desk.answer = async (signal) => {
    taken.resolve();
    await once(signal, 'abort');
    return failed('CANCELLED');
  };
  const before = process.listenerCount('SIGINT');
  const run = world.run('tools', 'call', 'notes', 'find');
  await taken.promise;
  expect(process.listenerCount('SIGINT')).toBe(before + 1);
  process.listeners('SIGINT').at(-1)?.('SIGINT');
  expect((await run).code).toBe(exitCodes.interrupted);
  expect(process.listenerCount('SIGINT')).toBe(before);
});
