import { expect, test } from 'vitest';
import { readTraceParent, traceParentText } from '../../src/protocol/trace-parent.ts';

const trace = '4bf92f3577b34da6a3ce929d0e0e4736';
const span = '00f067aa0ba902b7';

test('a traceparent of any version is read, and kept as one of version 00', () => {
  const texts = [
    `00-${trace}-${span}-01`,
    ` 00-${trace}-${span}-03 `,
    `cc-${trace}-${span}-01-what-comes-later`,
  ];
  for (const text of texts) {
    const read = readTraceParent(text);
    expect(read, text).toEqual({ traceId: trace, spanId: span, traceFlags: 1 });
    expect(read && traceParentText(read)).toBe(`00-${trace}-${span}-01`);
  }
  expect(readTraceParent(`00-${trace}-${span}-00`)?.traceFlags).toBe(0);
});

test.each([
  undefined,
  '',
  'nothing',
  `00-${trace}-${span}`,
  `00-${trace}-${span}-01-more`,
  `ff-${trace}-${span}-01`,
  `00-${'0'.repeat(32)}-${span}-01`,
  `00-${trace}-${'0'.repeat(16)}-01`,
  `00-${trace.toUpperCase()}-${span}-01`,
  `00-${trace}-${span}-01, 00-${trace}-${span}-01`,
  `00-${trace}-${span}-01\n${'x'.repeat(10_000)}`,
])('what is no traceparent is not there: %j', (text) => {
  expect(readTraceParent(text)).toBeUndefined();
});
