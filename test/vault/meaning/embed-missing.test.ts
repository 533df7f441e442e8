import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { EmbedError } from '../../../src/vault/embed/embedder.ts';
import { Ollama } from '../../../src/vault/embed/ollama.ts';
import { IndexReader } from '../../../src/vault/index/index-reader.ts';
import { IndexWriter } from '../../../src/vault/index/index-writer.ts';
import { embedMissing } from '../../../src/vault/meaning/embed-missing.ts';
import { SqliteVectors } from '../../../src/vault/vectors/sqlite-vectors.ts';
import { SmallOllama } from '../embed/small-ollama.ts';
import { noteRow } from '../support/note-row.ts';
import { tempFolder } from '../temp-vault.ts';

async function house() {
  const dir = tempFolder();
  const writer = new IndexWriter(join(dir, '1.db'), '/notes');
  const reader = new IndexReader(join(dir, '1.db'));
  onTestFinished(() => reader.close());
  const store = new SqliteVectors(join(dir, 'vectors.db'));
  onTestFinished(() => writer.close());
  onTestFinished(() => store.close());
  const server = await SmallOllama.start();
  const embedder = new Ollama({ url: server.url, model: 'small' });
  const put = (path: string, ...texts: string[]) => writer.commit(() => writer.put(noteRow(path, texts)));
  const run = (
    progressed = (_: { done: number }): unknown => undefined,
    signal = new AbortController().signal,
  ) => embedMissing(reader, embedder, store, { progressed, signal });
  return { writer, store, server, put, run };
}

test('every part gets a vector once, and one whose words are the same gets none again', async () => {
  const { put, run, store, server, writer } = await house();
  put('a.md', 'one', 'two');
  put('b.md', 'two', 'three');
  expect(await run()).toEqual({ made: 3, without: 0 });
  const asked = server.asked.length;
  writer.commit(() => writer.remove('b.md'));
  put('moved/b.md', 'two', 'three');
  expect(await run()).toEqual({ made: 0, without: 0 });
  expect(server.asked).toHaveLength(asked);
  writer.commit(() => writer.remove('moved/b.md'));
  await run();
  expect((await store.known()).size).toBe(2);
});

test('what was made before an interruption stays', async () => {
  const { put, run, server } = await house();
  put('a.md', ...Array.from({ length: 40 }, (_, at) => `part ${'abcdefghij'[at % 10]} ${at}`));
  const stopped = new AbortController();
  const enough = ({ done }: { done: number }) => done >= 16 && stopped.abort();
  expect(await run(enough, stopped.signal)).toEqual({ made: 16, without: 0 });
  expect(await run()).toEqual({ made: 24, without: 0 });
  server.trouble = 'busy';
  put('b.md', 'another');
  await expect(run()).rejects.toThrow(EmbedError);
  server.trouble = 'none';
  expect(await run()).toEqual({ made: 1, without: 0 });
});

test('texts that the model cannot take are left without, and not sent again', async () => {
  const { put, run, server } = await house();
  server.trouble = 'bad item';
  put('a.md', 'alpha', 'poison', 'beta');
  expect(await run()).toEqual({ made: 2, without: 1 });
  const asked = server.asked.length;
  expect(await run()).toEqual({ made: 0, without: 0 });
  expect(server.asked).toHaveLength(asked);
  put('b.md', ...Array.from({ length: 20 }, (_, at) => `poison ${at}`), 'gamma');
  expect(await run()).toEqual({ made: 1, without: 20 });
  expect(await run()).toEqual({ made: 0, without: 0 });
});

test('a model that makes no vector of anything is at fault, and not the text', async () => {
  const { put, run, server, store } = await house();
  server.trouble = 'null';
  put('a.md', 'alpha');
  await expect(run()).rejects.toThrow('The model makes no vectors.');
  expect(await store.known()).toEqual(new Set());
});
