/** UTF-16 units the way JSON escapes them, `\u2028`. For `replace` with whole runs: a call for each takes its time. */
export function escapeUnits(units: string): string {
  const known = new Map<number, string>();
  let all = '';
  for (let at = 0; at < units.length; at += 1) {
    const unit = units.charCodeAt(at);
    const escaped = known.get(unit) ?? `\\u${unit.toString(16).padStart(4, '0')}`;
    known.set(unit, escaped);
    all += escaped;
  }
  return all;
}
