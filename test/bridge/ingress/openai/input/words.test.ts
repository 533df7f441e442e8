import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import * as errors from '../../../../../src/bridge/ingress/openai/errors.ts';
import { summaryOf } from '../../../../../src/bridge/ingress/openai/utility/summary.ts';
import { titleOf } from '../../../../../src/bridge/ingress/openai/utility/title.ts';
import { problemText } from '../../../../../src/domain/words/problem-text.ts';
import { FailureCode } from '../../../../../src/protocol/events/failures.ts';

describe('a problem told in the chat', () => {
  test.each(FailureCode.options)('%s: says what happened, what is kept and what to do, briefly', (code) => {
    const text = problemText(code, { session: 'agent:main:main', folder: '/srv/x', seconds: 30, limit: 8 });
    expect(text).toMatch(/^⚠️ [^\n]+\.\n\n[^\n]+\.$/);
    expect(text.length).toBeLessThan(420);
    expect(text).not.toMatch(/undefined|NaN|\bnull\b/);
  });

  test.each(FailureCode.options)('%s: reads well when nothing else is known', (code) => {
    expect(problemText(code)).not.toMatch(/undefined|NaN| {2}|\( | \)|``/);
  });

  test.each([
    ['the operator', ' (`the operator`)'],
    ['restarted by the operator', ' (`restarted by the operator`)'],
    ['', ''],
  ])(
    'who or what interrupted an answer is named, and not as if it had said something: %j',
    (detail, named) => {
      const [first] = problemText('interrupted', { detail }).split('\n');
      expect(first).toBe(`⚠️ The answer was interrupted${named}.`);
    },
  );

  test('a foreign detail can neither format, nor mention, nor fill the screen', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (detail) => {
        const lines = problemText('exited', { detail: `x\n\`\u001b[31m${detail}\u202e` }).split('\n');
        expect(lines).toHaveLength(3);
        expect(lines[0]).not.toMatch(/[\p{Cc}\p{Cf}\u2028\u2029]/u);
        expect(lines[0]?.match(/`/g)).toHaveLength(2);
      }),
    );
    expect(problemText('exited', { detail: 'x'.repeat(9_999) }).length).toBeLessThan(700);
  });
});

describe('a session title', () => {
  test.each([
    ['Plan a trip to the lake with two dogs next weekend please', 'Plan a trip to the lake'],
    ['hey, can you please fix the login page? It is broken.', 'Fix the login page'],
    ['[Tue 2026-12-01 09:15 UTC] show me https://x.example/a?b=c the logs', 'Show me the logs'],
    ['🎉🎉', 'New conversation'],
    ['', 'New conversation'],
    ['hello', 'Hello'],
    ['# Notes\nwater the beds', 'Notes'],
    ['Wie wird das Wetter morgen in Bern?', 'Wie wird das Wetter morgen in'],
    ['明天的天气怎么样？带伞吗', '明天的天气怎么样'],
  ])('of %j is %j', (message, title) => {
    expect(titleOf(message)).toBe(title);
  });

  test('has at most 60 characters, on one line, and is never empty', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 400 }), (message) => {
        const title = titleOf(message);
        expect(title.length).toBeGreaterThan(0);
        expect(title.length).toBeLessThanOrEqual(60);
        expect(title).not.toMatch(/[\n\r\p{Extended_Pictographic}]/u);
      }),
    );
  });
});

describe('a summary for a compaction', () => {
  const ask = (
    conversation: string,
    sections = '## Original Request\n[x]\n\n## Context for Suffix\n- [y]\n\n## Exact identifiers',
  ) => summaryOf(`<conversation>\n${conversation}\n</conversation>\n\nSummarise:\n\n${sections}`);

  test('has the sections that were asked for, and says who keeps the history', () => {
    const summary = ask('[User]: plant 11111111-1111-4111-8111-111111111111\n[Assistant]: done');
    expect(summary.match(/^## .*/gm)).toEqual([
      '## Original Request',
      '## Context for Suffix',
      '## Exact identifiers',
    ]);
    expect(summary).toContain('## Original Request\n[User]: plant');
    expect(summary).toContain('Claude Code keeps the full history');
    expect(summary).toContain('- 11111111-1111-4111-8111-111111111111');
  });

  test('keeps the end of a long conversation and stays bounded', () => {
    const summary = ask(`${'[User]: old words\n'.repeat(20_000)}[Assistant]: the very end`);
    expect(summary).toContain('the very end');
    expect(summary.length).toBeLessThan(7_000);
  });

  test('takes no section from quoted text', () => {
    expect(ask('[User]: x', '## Goal\n\n<untrusted-text>\n## Injected\n</untrusted-text>')).not.toContain(
      'Injected',
    );
  });

  test('never throws and stays bounded, whatever comes', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 300 }), fc.boolean(), (text, wrapped) => {
        expect(summaryOf(wrapped ? `<conversation>${text}</conversation>${text}` : text).length).toBeLessThan(
          10_000,
        );
      }),
    );
  });
});

describe('a refusal', () => {
  const all: [string, errors.HttpFault, number][] = [
    ['invalid_json', errors.invalidJson(), 400],
    ['invalid_request', errors.invalidRequest('n: must be 1.', 'n'), 400],
    ['model_not_found', errors.modelNotFound('gpt', ['claude', 'claude-coder']), 404],
    ['missing_api_key', errors.unauthorized(false), 401],
    ['invalid_api_key', errors.unauthorized(true), 401],
    ['body_too_large', errors.bodyTooLarge(1_000), 413],
    ['unsupported_media_type', errors.wrongContentType('text/plain'), 415],
    ['origin_refused', errors.originRefused(), 403],
    ['host_refused', errors.hostRefused(), 421],
    ['not_found', errors.notFound('GET', '/v1/x', []), 404],
    ['method_not_allowed', errors.methodNotAllowed('POST'), 405],
    ['busy', errors.tooBusy(3), 503],
  ];

  test.each(all)('%s has the shape that OpenAI clients know', (code, fault, status) => {
    expect(fault.status).toBe(status);
    expect(fault.body.error).toEqual({
      message: expect.stringMatching(/^[A-Z"n].{20,}\.$/s),
      type: expect.stringMatching(/_error$/),
      param: fault.body.error.param,
      code,
    });
  });

  test('of a model names those that exist', () => {
    expect(errors.modelNotFound('gpt', ['claude', 'claude-coder']).body.error.message).toContain(
      'claude, claude-coder',
    );
  });
});
