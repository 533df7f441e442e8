import { expect, test } from 'vitest';
import { parseArgv } from '../../src/demo/claude/settings/flags.ts';

function flagsOf(argv: string[]) {
  const invocation = parseArgv(argv);
  if (invocation.kind !== 'interactive') throw new Error(`expected a session, got ${invocation.kind}`);
  return invocation.flags;
}

test('every flag of the bridge is understood', () => {
  const flags = flagsOf([
    ...[
      '--session-id',
      'u',
      '--name',
      'chat',
      '--permission-mode',
      'manual',
      '--settings',
      'a',
      '--settings',
      'b',
    ],
    ...['--mcp-config', 'm', '--strict-mcp-config', '--allowedTools', 'mcp__synthesis', 'Bash,Write'],
    ...['--append-system-prompt-file', 'p', '--model', 'x'],
    ...['--dangerously-load-development-channels', 'server:synthesis'],
  ]);
  expect(flags).toMatchObject({
    sessionId: 'u',
    name: 'chat',
    permissionMode: 'manual',
    settings: ['a', 'b'],
    mcpConfig: ['m'],
    strictMcpConfig: true,
    allowedTools: ['mcp__synthesis', 'Bash', 'Write'],
    appendSystemPromptFile: 'p',
    devChannels: ['server:synthesis'],
  });
});

test('the mode is auto when none is given', () => {
  expect(flagsOf([]).permissionMode).toBe('auto');
});

test('what follows -- is the first prompt', () => {
  expect(flagsOf(['--', '/help me']).prompt).toBe('/help me');
});

test.each([
  [['--nope'], "error: unknown option '--nope'"],
  [['--nope=1'], "error: unknown option '--nope=1'"],
  [['--session-id'], "error: option '--session-id <value>' argument missing"],
])('%j is refused', (argv, message) => {
  expect(parseArgv(argv)).toEqual({ kind: 'error', message });
});

test('an unknown permission mode is refused', () => {
  expect(parseArgv(['--permission-mode', 'yolo'])).toMatchObject({ kind: 'error' });
});

test.each([
  [['-v'], 'version'],
  [['--name', 'x', '--version'], 'version'],
  [['auth', 'status'], 'auth-status'],
  [['agents', '--json'], 'agents'],
] as const)('%j asks for %s', (argv, kind) => {
  expect(parseArgv([...argv]).kind).toBe(kind);
});
