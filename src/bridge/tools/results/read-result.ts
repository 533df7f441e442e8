import { Envelope } from '../../../protocol/envelope.ts';
import type { Check } from '../schema/arguments.ts';
import { resultBounds, tooDeepOrLarge } from '../schema/bounds.ts';
import { cleanData } from '../words/clean-data.ts';
import { cleanWords } from '../words/clean-words.ts';
import { leftOut, mostBlocks, ToolResult, textOf } from './result-content.ts';
import { cutOf } from './too-large.ts';

export type Reading =
  | { kind: 'envelope'; envelope: Envelope }
  | { kind: 'data'; data: unknown }
  | { kind: 'failed'; code: ResultFailure; message: string; data?: unknown };
export type ResultFailure =
  | 'TOOL_FAILED'
  | 'PROVIDER_PROTOCOL'
  | 'PROVIDER_SCHEMA_BROKEN'
  | 'RESULT_TOO_LARGE';

export interface AboutResult {
  tool: string;
  /** What the provider was given in confidence. */
  secrets: readonly string[];
  /** Most characters of the JSON of the data. */
  limit?: number;
  /** Made of the tool's output schema, with `resultBounds`. */
  outputCheck?: Check;
}

const usualLimit = 100_000;

/** What a provider answered, made safe to be passed on. Never throws. */
export function readResult(given: unknown, about: AboutResult): Reading {
  const big = tooDeepOrLarge(given, { ...resultBounds, depth: resultBounds.depth + 4 }, 'allow');
  if (big) return failed('RESULT_TOO_LARGE', `The result of ${about.tool} cannot be read: ${big}.`, about);
  const parsed = ToolResult.safeParse(given);
  if (!parsed.success || (parsed.data.content?.length ?? 0) > mostBlocks) {
    return failed(
      'PROVIDER_PROTOCOL',
      `${about.tool} answered with something that is no result of a tool.`,
      about,
    );
  }
  const { content, structuredContent, isError } = parsed.data;
  const text = textOf(content);
  const envelope = envelopeIn(structuredContent ?? (content?.length === 1 ? jsonIn(text) : undefined));
  if (envelope) return passedOn(envelope, about);
  if (isError) {
    return failed(
      'TOOL_FAILED',
      cleanWords(text ?? '', about.secrets) || 'The tool reported an error without words.',
      about,
    );
  }
  if (structuredContent) {
    const fault = about.outputCheck?.(structuredContent);
    if (fault)
      return failed(
        'PROVIDER_SCHEMA_BROKEN',
        `The result of ${about.tool} breaks its own output schema: ${fault}`,
        about,
      );
    return fitting(structuredContent, about);
  }
  const left = leftOut(content);
  if (left.length === 0) return fitting(text ?? null, about);
  return fitting(text === undefined ? { left_out: left } : { text, left_out: left }, about);
}

function envelopeIn(value: unknown): Envelope | undefined {
  if (typeof value !== 'object' || value === null || !('status' in value) || !('meta' in value))
    return undefined;
  // Asked before zod, which recurses; a text that is JSON has not been looked at yet.
  if (tooDeepOrLarge(value, resultBounds, 'allow')) return undefined;
  const parsed = Envelope.safeParse(value);
  return parsed.success ? parsed.data : undefined;
}

/** A tool's own envelope with its words and data made safe. */
function passedOn(envelope: Envelope, about: AboutResult): Reading {
  const data = fitting(envelope.data, about);
  if (data.kind !== 'data') return data;
  const words = (text: string) => cleanWords(text, about.secrets);
  const { error, meta } = envelope;
  const told = error && { ...error, message: words(error.message), suggestion: words(error.suggestion) };
  const known = (text: string | null) => text && words(text);
  const safeMeta = {
    ...meta,
    index_version: known(meta.index_version),
    vault_mtime: known(meta.vault_mtime),
  };
  return {
    kind: 'envelope',
    envelope: { ...envelope, data: data.data as Envelope['data'], error: told, meta: safeMeta },
  };
}

function fitting(value: unknown, about: AboutResult): Reading {
  const clean = cleanData(value, about.secrets);
  if ('words' in clean)
    return failed('RESULT_TOO_LARGE', `The result of ${about.tool} holds ${clean.words}.`, about);
  const cut = cutOf(clean.data, about.limit ?? usualLimit);
  if (!cut) return { kind: 'data', data: clean.data };
  const shown = cut.head.length + cut.tail.length;
  const words = `The result of ${about.tool} has ${cut.characters} characters; ${cut.characters - shown} of them, from its middle, were left out.`;
  return { kind: 'failed', code: 'RESULT_TOO_LARGE', message: cleanWords(words, about.secrets), data: cut };
}

const failed = (code: ResultFailure, message: string, { secrets }: AboutResult): Reading => ({
  kind: 'failed',
  code,
  message: cleanWords(message, secrets),
});

function jsonIn(text: string | undefined): unknown {
  if (!text?.trimStart().startsWith('{')) return undefined;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
