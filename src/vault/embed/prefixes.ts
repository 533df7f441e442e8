// What some models were trained to find in front of a text. It is part of what their vectors are (see each one's page).
import type { EmbedRole } from './embedder.ts';

type Prefixes = Readonly<Record<EmbedRole, string>>;

const none: Prefixes = { query: '', note: '' };

const table: readonly (readonly [model: RegExp, prefixes: Prefixes])[] = [
  [/^nomic-embed/, { query: 'search_query: ', note: 'search_document: ' }],
  [
    /^mxbai-embed|^snowflake-arctic-embed/,
    { query: 'Represent this sentence for searching relevant passages: ', note: '' },
  ],
  [/(?:^|[/-])e5-/, { query: 'query: ', note: 'passage: ' }],
  [/^embeddinggemma/, { query: 'task: search result | query: ', note: 'title: none | text: ' }],
];

/** @param model its name, with or without a tag */
export const prefixesOf = (model: string): Prefixes =>
  table.find(([pattern]) => pattern.test(model.slice(model.lastIndexOf('/') + 1)))?.[1] ?? none;
