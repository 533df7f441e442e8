// What a request to the model is made of, beside the words of the person: its sections by their first words.
import type { ApiRequest } from './messages-request.ts';

const maxWords = 60;

/** Headings of the system prompt, and beginnings of the paragraphs that Claude Code adds to the messages. */
export function promptParts({ body, newest }: ApiRequest, home: string): string[] {
  const system = textsOf(body.system);
  const added = body.messages.flatMap(({ content }) => textsOf(content)).filter((text) => text !== newest);
  const parts = [
    ...system.flatMap((text) => text.match(/^#+ .*$/gm) ?? []),
    ...added.flatMap((text) => text.split('\n\n')).map(beginning),
  ];
  const masked = parts.map((part) => part.replaceAll(home, '‹home›').replace(/\d{4}-\d\d-\d\d/g, '‹date›'));
  return sorted(masked).filter((part) => part !== '');
}

/** Names that Claude Code gives to the model as tools it may ask for. */
export function deferredTools({ body }: ApiRequest): string[] {
  const text = body.messages.flatMap(({ content }) => textsOf(content)).join('\n');
  const [, list = ''] = /deferred tools are now available[^\n]*\n((?:\w+\n)+)/.exec(text) ?? [];
  return list.split('\n').filter(Boolean);
}

/** Features of the API that the request asks for. */
export const betasOf = ({ headers }: ApiRequest): string[] =>
  sorted(String(headers['anthropic-beta'] ?? '').split(',')).filter(Boolean);

/** Without repetitions, in order. */
export const sorted = (names: readonly string[]): string[] => [...new Set(names)].sort();

const textsOf = (content: ApiRequest['body']['system']): string[] =>
  typeof content === 'string' ? [content] : (content ?? []).flatMap(({ text }) => text ?? []);

/** The first line behind a tag that stands alone. */
function beginning(paragraph: string): string {
  const [first = '', second = ''] = paragraph.trim().split('\n');
  const words = /^<[\w-]+>$/.test(first) ? `${first} ${second}` : first;
  return words.slice(0, maxWords).trim();
}
