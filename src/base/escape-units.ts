/** UTF-16 units the way JSON escapes them, `\u2028`. For `replace` with whole runs: a call for each takes its time. */
export function escapeUnits(units: string): string {
  let all = '';
  for (let at = 0; at < units.length; at += 1) {
    all += `\\u${units.charCodeAt(at).toString(16).padStart(4, '0')}`;
  }
  return all;
}
