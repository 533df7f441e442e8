/** Something that took time, in the form in which it is handed to OpenTelemetry. Times are wall clock, epoch ms. */
export interface Span {
  name: string;
  began: number;
  ended: number;
  attributes: Record<string, string | number | boolean>;
  /** Set when it failed: why, in a word. */
  failed?: string;
  children: Span[];
}

/** One request and all that came of it. */
export interface Trace {
  /** `traceparent` of the request. */
  parent?: string;
  span: Span;
}
