/** What the shell sees. Published in docs/reference/cli.md; scripts rely on these. */
export const exitCodes = {
  ok: 0,
  failure: 1,
  usage: 2,
  timeout: 3,
  not_found: 4,
  denied: 5,
  not_running: 6,
  degraded: 7,
  already_running: 8,
  interrupted: 130,
} as const;
export type ExitName = keyof typeof exitCodes;
