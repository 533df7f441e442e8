import { expect, test } from 'vitest';
import { EmbedError } from '../../../src/vault/embed/embedder.ts';
import { Ollama } from '../../../src/vault/embed/ollama.ts';
import { SmallOllama, type Trouble } from './small-ollama.ts';

const soon = () => AbortSignal.timeout(200);
const patient = () => AbortSignal.timeout(5_000);

async function open(trouble: Trouble = 'none') {
  const server = await SmallOllama.start();
  server.trouble = trouble;
  return { server, ollama: new Ollama({ url: server.url, model: 'small' }) };
}

const faultOf = async (work: Promise<unknown>): Promise<string> => {
  const error = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(EmbedError);
  return (error as EmbedError).fault;
};

test('each text gets a vector of length 1, and the nearest is the one with the same words', async () => {
  const { ollama } = await open();
  const [a, b, c] = await ollama.embed(['garden fence', 'fences of the garden', 'xyz'], 'note', patient());
  const near = (x: Float32Array = new Float32Array(), y: Float32Array = new Float32Array()): number => {
    let sum = 0;
    for (const [at, value] of x.entries()) sum += value * (y[at] ?? 0);
    return sum;
  };
  expect(near(a, a)).toBeCloseTo(1, 5);
  expect(near(a, b)).toBeGreaterThan(near(a, c));
});

test('its identity changes with the digest of the model', async () => {
  const { ollama, server } = await open();
  const before = await ollama.identity(patient());
  expect(await ollama.identity(patient())).toBe(before);
  server.digest = 'def';
  expect(await ollama.identity(patient())).not.toBe(before);
});

test('a model wants what it was trained with in front of a question and of a note', async () => {
  const { server } = await open();
  const nomic = new Ollama({ url: server.url, model: 'nomic-embed-text' });
  await nomic.embed(['a'], 'query', patient());
  await nomic.embed(['a'], 'note', patient());
  expect(server.asked.map(({ input }) => input)).toEqual([['search_query: a'], ['search_document: a']]);
});

test.each<[Trouble, string]>([
  ['half', 'nonsense'],
  ['busy', 'busy'],
  ['missing', 'no_model'],
  ['missing, pull', 'no_model'],
  ['html', 'nonsense'],
  ['fewer', 'nonsense'],
  ['hangs', 'slow'],
])('when its server is %s, it is %s', async (trouble, fault) => {
  const { ollama } = await open(trouble);
  expect(await faultOf(ollama.embed(['a', 'b'], 'note', soon()))).toBe(fault);
});

test('nothing there is unreachable; a model that is not there is told by its name', async () => {
  const gone = new Ollama({ url: 'http://127.0.0.1:1', model: 'small' });
  expect(await faultOf(gone.embed(['a'], 'query', patient()))).toBe('unreachable');
  const { server } = await open();
  const other = new Ollama({ url: server.url, model: 'other' });
  await expect(other.identity(patient())).rejects.toThrow('does not have the model other');
});

test('vectors of another length than before are none', async () => {
  const { ollama, server } = await open();
  await ollama.embed(['a'], 'note', patient());
  server.trouble = 'dimensions';
  expect(await faultOf(ollama.embed(['a'], 'note', patient()))).toBe('nonsense');
});

test.each<Trouble>(['nan', 'null', 'error'])(
  'a text of which it makes no vector has none: %s',
  async (trouble) => {
    const { ollama } = await open(trouble);
    expect(await ollama.embed(['a', 'b'], 'note', patient())).toEqual([undefined, undefined]);
  },
);

test('one bad text takes none of the others with it', async () => {
  const { ollama } = await open('bad item');
  const [a, bad, b] = await ollama.embed(['alpha', 'poison', 'beta'], 'note', patient());
  expect([a !== undefined, bad, b !== undefined]).toEqual([true, undefined, true]);
});

test('a text that is too long is halved until it fits, and never asked for twice', async () => {
  const { ollama, server } = await open();
  server.context = 300;
  const [vector] = await ollama.embed(['word '.repeat(500)], 'note', patient());
  expect(vector).toBeDefined();
  const lengths = server.asked.map(({ input }) => input[0]?.length ?? 0);
  expect(lengths).toEqual([2_500, 1_250, 625, 312, 156]);
});
