import { parse } from 'plist';
import { describe, expect, test } from 'vitest';
import { agentSettings, agentText, fitsAgent } from '../../../src/cli/commands/service/agent.ts';
import { stateIn } from '../../../src/cli/commands/service/launchctl.ts';
import type { ServiceSettings } from '../../../src/cli/commands/service/settings.ts';

const plain: ServiceSettings = {
  version: '1.2.3',
  node: '/opt/homebrew/bin/node',
  program: '/opt/homebrew/bin/synthesis',
  claude: '/Users/alice/tools/claude',
  home: '/Users/alice',
  cwd: '/Users/alice/work',
  stateDir: '/Users/alice/.local/state/synthesis',
  env: { SYNTHESIS_PORT: '1234' },
};

describe('the agent', () => {
  test('is a property list with these keys', () => {
    expect(parse(agentText(plain))).toEqual({
      Label: 'synthesis-agent.bridge',
      ProgramArguments: [
        plain.node,
        plain.program,
        'up',
        '--quiet',
        '--on-exit',
        'keep',
        '--state-dir',
        plain.stateDir,
      ],
      EnvironmentVariables: {
        PATH: '/opt/homebrew/bin:/Users/alice/tools:/Users/alice/.local/bin:/usr/local/bin:/usr/bin:/bin',
        SYNTHESIS_PORT: '1234',
      },
      WorkingDirectory: plain.cwd,
      RunAtLoad: true,
      KeepAlive: { SuccessfulExit: false },
      ThrottleInterval: 30,
      ExitTimeOut: 30,
      ProcessType: 'Interactive',
      StandardOutPath: '/Users/alice/Library/Logs/synthesis.log',
      StandardErrorPath: '/Users/alice/Library/Logs/synthesis.log',
    });
    expect(parse(agentText({ ...plain, session: 'Background' }))).toMatchObject({
      LimitLoadToSessionType: 'Background',
    });
  });

  test.each([
    '/a & b/<c>/"d" \'e\'',
    '/a --> <!-- b --',
    '/a----b---',
    '/&amp;/&#10;/]]>',
    '/é/日本/👍',
    '/ a ',
    '/$HOME %h \\',
  ])('holds %j as it is, and tells it again', (path) => {
    const settings = {
      ...plain,
      node: `/n${path}`,
      cwd: path,
      stateDir: path,
      env: { SYNTHESIS_HOME: path },
    };
    const text = agentText(settings);
    expect(parse(text)).toMatchObject({
      ProgramArguments: expect.arrayContaining([`/n${path}`, path]),
      EnvironmentVariables: { SYNTHESIS_HOME: path },
      WorkingDirectory: path,
    });
    for (const [, inside = ''] of text.matchAll(/<!--([\s\S]*?)-->/g)) expect(inside).not.toContain('--');
    expect(agentSettings(text)).toEqual(settings);
    expect(fitsAgent(path)).toBe(true);
  });

  test.each(['/a\n</string>', '/a\rb', '/a\tb', '/a\u0000', '/a\u001b[2J', '/a\ud800', '/a\uffff'])(
    'cannot hold %j',
    (path) => expect(fitsAgent(path)).toBe(false),
  );

  test.each(['', '<plist/>', '<!-- settings: {"version": -->', '<!-- settings: {"version":1} -->'])(
    'of somebody else tells none: %j',
    (text) => expect(agentSettings(text)).toBeUndefined(),
  );
});

describe('what launchd shows', () => {
  const shown = (lines: string) => `gui/501/synthesis-agent.bridge = {
\tactive count = 1
\tpath = /Users/alice/Library/LaunchAgents/synthesis-agent.bridge.plist
${lines}

\targuments = {
\t\tpid = 7
\t}

\tresource coalition = {
\t\tstate = active
\t}
}`;

  test('of a service that runs', () => {
    expect(
      stateIn(shown('\tstate = running\n\truns = 3\n\tpid = 42\n\tlast exit code = (never exited)')),
    ).toEqual({ active: 'active', pid: 42, since: null, restarts: 2, result: 'success', status: 0 });
  });

  test.each([
    ['\tstate = not running\n\truns = 1\n\tlast exit code = 0', 'inactive', 0],
    ['\tstate = not running\n\truns = 0\n\tlast exit code = (never exited)', 'inactive', 0],
    ['\tstate = spawn scheduled\n\truns = 1\n\tlast exit code = 2', 'failed', 2],
    ['\tstate = spawn scheduled\n\truns = 1\n\tlast exit code = 78: EX_CONFIG', 'failed', 78],
    ['\tstate = not running\n\truns = 1\n\tlast terminating signal = Killed: 9', 'failed', 137],
  ])('of one that does not: %j', (lines, active, status) => {
    expect(stateIn(shown(lines))).toMatchObject({ active, status, pid: null, restarts: 0 });
  });

  test('of one that is not loaded is nothing', () => {
    expect(stateIn('')).toMatchObject({ active: 'inactive', pid: null, restarts: 0, status: 0 });
  });
});
