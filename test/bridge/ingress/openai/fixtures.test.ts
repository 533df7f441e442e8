import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { identify } from '../../../../src/bridge/ingress/openai/identity/identity.ts';
import type { NewestInput } from '../../../../src/bridge/ingress/openai/input/newest-input.ts';
import { openClawFacts } from '../../../../src/bridge/ingress/openai/input/openclaw-facts.ts';
import type { HeaderFields } from '../../../../src/bridge/ingress/openai/request/identity-headers.ts';
import { classified, requestOf } from './request.ts';

interface Fixture {
  about: string;
  api: 'chat' | 'responses';
  headers?: HeaderFields;
  body: unknown;
  expect: Record<string, unknown> & { kind: string; key: string | null; source: string };
}

const folder = resolve(import.meta.dirname, '../../../fixtures/openai');
const names = readdirSync(folder).filter((name) => name.endsWith('.json'));

describe('every fixture is read as it says', () => {
  test('there are fixtures', () => expect(names.length).toBeGreaterThan(35));

  test.each(names)('%s', (name) => {
    const fixture = JSON.parse(readFileSync(join(folder, name), 'utf8')) as Fixture;
    const request = requestOf(fixture.body, fixture.headers, fixture.api);
    const result = classified(request);
    const identity = identify(request, openClawFacts(request));
    const { kind, key, source, event, original, generation, chat, ...newest } = fixture.expect;
    expect(result.kind).toBe(kind);
    expect(identity).toMatchObject({ source, ...(key === null ? {} : { key }) });
    if (generation !== undefined) expect(identity.openclaw?.generation).toBe(generation);
    if (event) expect(result).toMatchObject(event);
    if (original) expect(result).toMatchObject({ original });
    if (!('input' in result)) return;
    const { texts, toolResults, images, unsupported } = withoutStamps(result.input);
    expect({ texts, toolResults, images, unsupported }).toEqual({ images: [], unsupported: [], ...newest });
    if (chat) expect(result.input.conversation?.chat_id).toBe(chat);
  });
});

const withoutStamps = (input: NewestInput) => ({
  ...input,
  texts: input.texts.map(({ stamp: _, ...text }) => text),
});
