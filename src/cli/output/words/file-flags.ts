/** Flags whose value is a file, a folder or a program: shells know these better than the program does. */
export const fileFlags: readonly string[] = [
  '--cwd',
  '--state-dir',
  '--claude',
  '--module',
  '--openclaw',
  '--ssh-key',
];
