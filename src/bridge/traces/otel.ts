// Hands traces to OpenTelemetry, as the operator's own module has set it up. None of it comes with this program.
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import type * as Otel from '@opentelemetry/api';
import type { Span, Trace } from './spans.ts';

export interface Exporter {
  export(trace: Trace): void;
  /** Sends what waits. */
  close(): Promise<void>;
}

/**
 * Loads the module, which registers a provider of tracers, and takes `@opentelemetry/api` from where it stands, so that
 * both mean the same one.
 * @param path absolute
 * @throws what the module throws, or when it has no `@opentelemetry/api` beside it
 */
export async function openTelemetry(path: string, version: string): Promise<Exporter> {
  const url = pathToFileURL(path).href;
  const setup: { close?: unknown } = await import(url);
  const api: typeof Otel = createRequire(url)('@opentelemetry/api');
  const tracer = api.trace.getTracer('synthesis', version);
  const { close } = setup;
  return {
    export: (trace) => spread(api, tracer, trace.span, rootOf(api, trace)),
    close: async () => {
      if (typeof close === 'function') await close();
    },
  };
}

function rootOf(api: typeof Otel, { parent }: Trace): Otel.Context {
  // As the journal keeps it: it was read when the request came.
  const [, traceId, spanId, flags] = parent?.split('-') ?? [];
  if (traceId === undefined || spanId === undefined) return api.ROOT_CONTEXT;
  const remote = { traceId, spanId, traceFlags: Number(flags), isRemote: true };
  return api.trace.setSpanContext(api.ROOT_CONTEXT, remote);
}

function spread(api: typeof Otel, tracer: Otel.Tracer, span: Span, within: Otel.Context): void {
  const { name, began, ended, attributes, failed, children } = span;
  const kind = name === 'request' ? api.SpanKind.SERVER : api.SpanKind.INTERNAL;
  const made = tracer.startSpan(name, { kind, startTime: began, attributes }, within);
  if (failed !== undefined) made.setStatus({ code: api.SpanStatusCode.ERROR, message: failed });
  const inside = api.trace.setSpan(within, made);
  for (const child of children) spread(api, tracer, child, inside);
  made.end(Math.max(began, ended));
}
