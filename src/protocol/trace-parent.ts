// W3C Trace Context: whose trace a request belongs to.

export interface TraceParent {
  /** 32 hex digits. */
  traceId: string;
  /** Of the span that asks: 16 hex digits. */
  spanId: string;
  /** Bit 0: it is recorded. */
  traceFlags: number;
}

const form = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;

/** Undefined for anything that is no `traceparent`: a request is answered all the same. Later versions may be longer. */
export function readTraceParent(text: string | undefined): TraceParent | undefined {
  const [, version, traceId = '', spanId = '', flags = '', more] = form.exec(text?.trim() ?? '') ?? [];
  if (version === undefined || version === 'ff' || (version === '00' && more !== undefined)) return undefined;
  if (/^0+$/.test(traceId) || /^0+$/.test(spanId)) return undefined;
  return { traceId, spanId, traceFlags: Number.parseInt(flags, 16) & 1 };
}

/** As the journal keeps it: version 00, 55 characters. */
export const traceParentText = ({ traceId, spanId, traceFlags }: TraceParent): string =>
  `00-${traceId}-${spanId}-0${traceFlags}`;
