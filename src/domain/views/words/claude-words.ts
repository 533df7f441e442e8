// Claude Codes that go on without their bridge.

export const claudes = (count: number): string => (count === 1 ? '1 Claude Code' : `${count} Claude Codes`);

/** '' for none. */
export function goOnWords(count: number): string {
  if (count === 0) return '';
  const [go, them] = count === 1 ? ['goes', 'it'] : ['go', 'them'];
  return `${claudes(count)} ${go} on: \`synthesis up\` takes ${them} over, \`synthesis down\` ends ${them}.`;
}
