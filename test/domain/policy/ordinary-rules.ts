// What the ordinary commands are judged by: each rule that denies one thing, and all of them together.
const allow = { decision: 'allow' };
const deny = [
  { command: 'rm', decision: 'deny' },
  { path: '~/.ssh', decision: 'deny' },
  { command: 'git push', decision: 'deny' },
  { host: 'evil.com', decision: 'deny' },
];

export const ordinaryRules = {
  rm: [deny[0], allow],
  '~/.ssh': [deny[1], allow],
  'git push': [deny[2], allow],
  'evil.com': [deny[3], allow],
  'all four': [...deny, allow],
};
export type OrdinaryRules = keyof typeof ordinaryRules;

export const ordinaryAbout = { session: 's', unattended: false, mode: 'manual' } as const;
export const ordinaryPlace = { cwd: '/home/u/ws', home: '/home/u', real: (path: string) => path };
