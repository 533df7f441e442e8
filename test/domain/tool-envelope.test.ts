import { describe, expect, test } from 'vitest';
import { type FailedOptions, failed, succeeded } from '../../src/domain/tools/tool-envelope.ts';
import { Envelope } from '../../src/protocol/envelope.ts';
import { type ToolFailureCode, toolFailures } from '../../src/protocol/events/tool-failures.ts';

const nothing = { query_time_ms: 0, chunks_scanned: null, index_version: null, vault_mtime: null };

/** The normative matrix, typed by hand. */
test.each([
  ['OLLAMA_UNREACHABLE', 'degraded', true, 'etry after start', undefined],
  ['INDEX_NOT_FOUND', 'unavailable', true, 'un index first', undefined],
  ['INDEX_CORRUPTED', 'unavailable', true, 'un reindex', undefined],
  ['SECURITY_VIOLATION', 'unavailable', false, '', undefined],
  ['SENSITIVE_FILTERED', 'degraded', true, 'with confirmation', undefined],
  ['INDEXER_FAILED', 'unavailable', true, '', true],
] as const)('%s is %s, recoverable: %s', (code, status, recoverable, words, retryOnce) => {
  expect(failed(code, 'It happened.')).toMatchObject({ status, error: { code, recoverable } });
  expect(toolFailures[code].suggestion).toContain(words);
  expect(toolFailures[code].retryOnce).toBe(retryOnce);
});

test('only a crash is worth a second try by the bridge itself', () => {
  const again = Object.entries(toolFailures).filter(([, { retryOnce }]) => retryOnce);
  expect(again.map(([code]) => code).sort()).toEqual(['INDEXER_FAILED', 'PROVIDER_CRASHED']);
});

describe.each(Object.keys(toolFailures) as ToolFailureCode[])('%s', (code) => {
  test('speaks in sentences', () => {
    const { meaning, suggestion, remedy } = toolFailures[code];
    for (const words of [meaning, suggestion, remedy]) expect(words).toMatch(/^[A-Z][^|\n]*\.$/);
  });

  test('makes an envelope that whoever reads one understands', () => {
    const envelope = failed(code, 'It happened.');
    expect(Envelope.parse(envelope)).toEqual(envelope);
    expect(envelope).toMatchObject({ data: null, meta: nothing });
  });
});

test('who knows more than the table says it', () => {
  const options: FailedOptions = {
    status: 'unavailable',
    suggestion: 'Wait.',
    data: [1],
    meta: { query_time_ms: 7 },
  };
  expect(failed('BUSY', 'Not now.', options)).toEqual({
    status: 'unavailable',
    data: [1],
    error: { code: 'BUSY', message: 'Not now.', recoverable: true, suggestion: 'Wait.' },
    meta: { ...nothing, query_time_ms: 7 },
  });
});

test('what went well has no error', () => {
  const envelope = succeeded({ found: 3 }, { chunks_scanned: 40 });
  expect(envelope).toEqual({
    status: 'healthy',
    data: { found: 3 },
    error: null,
    meta: { ...nothing, chunks_scanned: 40 },
  });
  expect(Envelope.parse(envelope)).toEqual(envelope);
});
