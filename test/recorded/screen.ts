/**
 * A screen without what differs from one machine or start to the next.
 * @param names text → what stands for it, such as the path of a home; the longest first
 */
export function maskedScreen(rows: readonly string[], names: Readonly<Record<string, string>>): string[] {
  const masked = rows.map((row) =>
    Object.entries(names)
      .reduce((text, [value, name]) => text.replaceAll(value, name), row)
      .replace(/(?<![\d.])\d+\.\d+\.\d+\b/g, '‹version›')
      .replace(/\b[0-9a-f]{8,}\b/g, '‹id›')
      // The mark of a call blinks while it waits.
      .replace(/^●/, ' ')
      // How long a turn took, behind one of many verbs.
      .replace(/^✻ .* for .* · done .*$/, '✻ ‹how long›')
      // A hint in an empty prompt is one of many.
      .replace(/Try ".*"/, 'Try ‹hint›')
      .replaceAll('\u00a0', ' ')
      .replace(/ {2,}/g, '  ')
      .replace(/([─━╌═])\1{2,}/g, '$1$1$1')
      .trimEnd(),
  );
  return masked.filter((row) => row !== '');
}
