import { describe, expect, test } from 'vitest';
import {
  dedupKey,
  identify,
  lifecycle,
  opensConversation,
  type Remembered,
} from '../../../../../src/bridge/ingress/openai/identity/identity.ts';
import { openClawFacts } from '../../../../../src/bridge/ingress/openai/input/openclaw-facts.ts';
import type { HeaderFields } from '../../../../../src/bridge/ingress/openai/request/identity-headers.ts';
import { requestOf, STAMP } from '../request.ts';

const ID = '33333333-3333-4333-8333-333333333333';
const KEY = 'agent:main:telegram:group:-100555';
const LINE = `Runtime: agent=main | session=${KEY} | sessionId=${ID} | channel=telegram`;
const system = { role: 'system', content: 'You are a personal assistant running inside OpenClaw.' };
const tools = [{ type: 'function', function: { name: 'exec' } }];

interface Options {
  texts?: string[];
  more?: object;
  headers?: HeaderFields;
}
const openClaw = ({ texts = [`hi\n\n${LINE}`], more = {}, headers = {} }: Options = {}) =>
  requestOf(
    {
      model: 'claude',
      tools,
      messages: [system, ...texts.map((content) => ({ role: 'user', content }))],
      ...more,
    },
    headers,
  );
const identityOf = (options: Options, recall?: (id: string) => string | undefined) => {
  const request = openClaw(options);
  return identify(request, openClawFacts(request), recall);
};

describe('the order of the sources', () => {
  const everything: HeaderFields = {
    'x-synthesis-session': 'mine',
    'x-openclaw-session-key': 'agent%3Amain%3Aplugin',
    'x-session-affinity': `${ID}:9`,
  };
  const more = { prompt_cache_key: `${ID}:2`, user: 'u' };

  test.each([
    ['explicit', 'mine', everything, more],
    ['plugin', 'agent:main:plugin', { ...everything, 'x-synthesis-session': undefined }, more],
    ['cache_key', KEY, {}, more],
    ['cache_key', KEY, { 'x-session-affinity': `${ID}:9` }, { user: 'u' }],
    ['runtime', KEY, {}, { user: 'u' }],
  ])('%s gives %s', (source, key, headers, fields) => {
    expect(identityOf({ headers, more: fields })).toMatchObject({ source, key });
  });

  test('whatever gives the key, OpenClaw facts are told', () => {
    expect(identityOf({ headers: everything, more }).openclaw).toEqual({
      agent: 'main',
      sessionKey: 'agent:main:plugin',
      sessionId: ID,
      generation: 2,
      channel: 'telegram',
    });
  });
});

describe('too long a name', () => {
  const keyOf = (name: string) => identityOf({ headers: { 'x-synthesis-session': name } }).key;

  test('keeps its beginning, and fits into the frames of the wire protocol', () => {
    const key = keyOf('n'.repeat(400));
    expect(key).toMatch(/^n{223}~[0-9a-f]{32}$/);
    expect(keyOf('n'.repeat(256))).toBe('n'.repeat(256));
  });

  test('is the same conversation each time, and another name is another one', () => {
    expect(keyOf(`${'n'.repeat(300)}a`)).toBe(keyOf(`${'n'.repeat(300)}a`));
    expect(keyOf(`${'n'.repeat(300)}a`)).not.toBe(keyOf(`${'n'.repeat(300)}b`));
  });
});

describe('a request with only the session id', () => {
  const lonely: Options = { texts: ['hi'], more: { prompt_cache_key: `${ID}:0` } };

  test('has the key that an earlier request gave with that id', () => {
    expect(identityOf(lonely, (id) => (id === ID ? KEY : undefined)).key).toBe(KEY);
  });

  test('has one key of its own before that, with or without generation', () => {
    expect(identityOf(lonely).key).toBe(`openclaw:${ID}`);
    const summary = requestOf({
      model: 'claude',
      messages: [{ role: 'user', content: 'x' }],
      prompt_cache_key: ID,
    });
    expect(identify(summary, undefined).key).toBe(`openclaw:${ID}`);
  });
});

test('a Runtime line counts only at the end of the first user message or of the system prompt', () => {
  const forged = LINE.replace(KEY, 'agent:main:main');
  expect(identityOf({ texts: [`a\n\n${LINE}`, `b\n\n${forged}`] }).key).toBe(KEY);
  expect(identityOf({ texts: [`a\n\n${forged}\n\n${LINE}`] }).key).toBe(KEY);
  expect(identityOf({ texts: [`a\n\n${forged}\nand more`] }).source).toBe('fingerprint');
});

describe('a fingerprint', () => {
  const plain = (first: string, model = 'claude') => {
    const request = requestOf({
      model,
      messages: [
        { role: 'user', content: first },
        { role: 'assistant', content: 'x' },
        { role: 'user', content: 'later' },
      ],
    });
    return identify(request, openClawFacts(request));
  };

  test('is marked as a guess and stays the same through a conversation', () => {
    const first = requestOf({ model: 'claude', messages: [{ role: 'user', content: 'hello' }] });
    expect(plain('hello')).toEqual(identify(first, undefined));
    expect(plain('hello').source).toBe('fingerprint');
  });

  test('differs by first text and by model', () => {
    expect(new Set([plain('a').key, plain('b').key, plain('a', 'other').key]).size).toBe(3);
  });

  test('of an OpenClaw conversation does not depend on its system prompt, which changes every turn', () => {
    const key = (prompt: string) => {
      const request = requestOf({
        model: 'claude',
        tools,
        messages: [
          { ...system, content: `${system.content}${prompt}` },
          { role: 'user', content: `${STAMP}hi` },
        ],
      });
      return identify(request, openClawFacts(request)).key;
    };
    expect(key(' Monday')).toBe(key(' Tuesday'));
  });
});

describe('the life of a conversation', () => {
  const summary = 'The conversation history before this point was compacted into the following summary:\n\nx';
  const at = (generation: number, texts: string[], answered = false) => {
    const request = openClaw({ texts, more: { prompt_cache_key: `${ID}:${generation}` } });
    if (answered) request.messages.splice(2, 0, { role: 'assistant', text: 'x', calls: [] });
    return request;
  };
  const lifeOf = (request: ReturnType<typeof at>, remembered: Remembered | undefined) =>
    lifecycle(request, identify(request, openClawFacts(request)), remembered);
  const before = { sessionId: ID, generation: 1 };

  test('a rise of the generation without history is /new', () => {
    expect(lifeOf(at(2, ['hi']), before)).toBe('reset');
  });

  test('a rise with a summary is a compaction', () => {
    expect(lifeOf(at(2, [`${summary}\n\n${LINE}`, 'hi']), before)).toBe('compacted');
  });

  test('a rise with history concludes nothing', () => {
    expect(lifeOf(at(2, ['hi', 'again'], true), before)).toBe('continues');
  });

  test('the same generation is the same conversation, even without answers', () => {
    expect(lifeOf(at(1, ['hi']), before)).toBe('continues');
  });

  test('a new session id under the same key without history is /new', () => {
    expect(lifeOf(at(0, ['hi']), { sessionId: 'other', generation: 4 })).toBe('reset');
  });

  test('an unknown generation concludes nothing', () => {
    expect(lifeOf(at(2, ['hi']), {})).toBe('continues');
    expect(lifeOf(at(2, ['hi']), undefined)).toBe('first');
  });

  test('it opens until something was answered', () => {
    expect(opensConversation(at(0, ['hi', 'there']))).toBe(true);
    expect(opensConversation(at(0, ['hi', 'there'], true))).toBe(false);
  });
});

test('a repeat has the same dedup key, an equal text after an answer has not', () => {
  const stamped = { text: 'yes', stamp: 'Tue 2026-12-01 09:15 UTC' };
  const first = openClaw({ texts: ['yes'] });
  const answered = openClaw({ texts: ['yes'] });
  answered.messages.push({ role: 'assistant', text: 'ok', calls: [] });
  expect(dedupKey(first, stamped)).toBe(dedupKey(first, { ...stamped }));
  expect(dedupKey(answered, stamped)).not.toBe(dedupKey(first, stamped));
});
