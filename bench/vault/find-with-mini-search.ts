// MiniSearch with its default options, over whole notes.
import MiniSearch from 'minisearch';
import { taken } from '../harness/taken.ts';
import { bytesOf, type Finder, type FinderOptions, mostFound, usualResults } from './finder.ts';

export async function miniSearchFinder({ notes }: FinderOptions): Promise<Finder> {
  const index = new MiniSearch({ idField: 'path', fields: ['text'] });
  const { cpuMs: indexMs } = await taken(() => index.addAll(notes));
  const texts = new Map(notes.map(({ path, text }) => [path, text]));
  const found = (question: string, most: number) =>
    index
      .search(question)
      .slice(0, most)
      .map(({ id }) => String(id));
  return {
    indexMs,
    bytes: bytesOf(index),
    find: async (question) => found(question, mostFound),
    answerBytes: async (question) =>
      bytesOf(found(question, usualResults).map((path) => ({ path, text: texts.get(path) }))),
    [Symbol.asyncDispose]: async () => {},
  };
}
