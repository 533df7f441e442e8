import { describe, expect, test } from 'vitest';
import type { AgentSession } from '../../../../src/bridge/app/ports.ts';
import { childEnv } from '../../../../src/bridge/claude/launch/child-env.ts';
import { type LaunchInput, launchSpec } from '../../../../src/bridge/claude/launch/launch-spec.ts';

const token = 'the-secret-token';
const session: AgentSession = {
  key: 'agent:main:main',
  claude: 'aaaaaaaa-1111-4222-8333-444444444444',
  resume: false,
  launch: { cwd: '/work/dir', permissionMode: 'manual', delivery: 'auto' },
  tools: [],
};
const input: LaunchInput = {
  session,
  start: 'new',
  command: ['/usr/bin/claude'],
  inherited: { PATH: '/usr/bin', HOME: '/home/u' },
  token,
  baseUrl: 'http://127.0.0.1:18801',
  hooksUrl: 'http://127.0.0.1:40001',
  dir: "/state/it's/sessions/abc",
  nodePath: '/usr/bin/node',
  channelEntry: '/app/channel.js',
  channels: {},
  poster: 'curl',
  policed: false,
};
const spec = (more: Partial<LaunchInput> = {}) => launchSpec({ ...input, ...more });
const launch = (more: Partial<AgentSession['launch']>) => ({
  session: { ...session, launch: { ...session.launch, ...more } },
});
const file = (name: string, more: Partial<LaunchInput> = {}) =>
  spec(more).files.find((candidate) => candidate.name === name)?.content ?? '';
const valueAfter = (argv: readonly string[], flag: string) => argv[argv.indexOf(flag) + 1];

describe('the command line', () => {
  test('starts a new session under its id, or resumes it', () => {
    expect(spec().argv.slice(0, 3)).toEqual(['/usr/bin/claude', '--session-id', session.claude]);
    expect(spec({ start: 'resume' }).argv.slice(1, 3)).toEqual(['--resume', session.claude]);
  });

  test('always names a permission mode, because none means auto', () => {
    expect(valueAfter(spec().argv, '--permission-mode')).toBe('manual');
    expect(valueAfter(spec(launch({ permissionMode: 'default' })).argv, '--permission-mode')).toBe('manual');
    expect(valueAfter(spec(launch({ permissionMode: 'plan' })).argv, '--permission-mode')).toBe('plan');
  });

  test('ends no flag that takes a list with a value that could swallow what follows', () => {
    for (const channels of [{}, { development: true }, { plugin: 'synthesis@team' }]) {
      const { argv } = spec({ channels, ...launch({ model: 'opus' }) });
      for (const flag of [
        '--dangerously-load-development-channels',
        '--channels',
        '--mcp-config',
        '--allowedTools',
      ]) {
        const at = argv.indexOf(flag);
        if (at >= 0) expect(argv[at + 2]).toMatch(/^--/);
      }
    }
  });

  test('asks for the channel only with consent, and never for terminal delivery', () => {
    const flag = '--dangerously-load-development-channels';
    expect(spec()).toMatchObject({ channelAsked: false });
    expect(spec().argv).not.toContain(flag);
    expect(valueAfter(spec({ channels: { development: true } }).argv, flag)).toBe('server:synthesis');
    expect(valueAfter(spec({ channels: { plugin: 'a@b', development: true } }).argv, '--channels')).toBe(
      'plugin:a@b',
    );
    expect(spec({ channels: { plugin: 'a@b', development: true } }).argv).not.toContain(flag);
    expect(spec({ channels: { development: true }, ...launch({ delivery: 'terminal' }) }).argv).not.toContain(
      flag,
    );
  });

  test('a session key cannot become a flag or break the line', () => {
    const key = `--dangerously\x1b[31m\n${'x'.repeat(200)}`;
    const name = valueAfter(spec({ session: { ...session, key } }).argv, '--name') ?? '';
    expect(name).not.toMatch(/^-|[\x00-\x1f]/);
    expect(name.length).toBeLessThanOrEqual(60);
    expect(valueAfter(spec({ session: { ...session, key: '---' } }).argv, '--name')).toBe('synthesis');
  });

  test.each(['curl', 'node'] as const)('the token is in no argument and in no command (%s)', (poster) => {
    const { argv } = spec({ poster });
    expect(argv.join(' ')).not.toContain(token);
    const { env, ...rest } = JSON.parse(file('settings.json', { poster }));
    expect(JSON.stringify(rest)).not.toContain(token);
    // Else a settings file of the folder could give Claude Code another one, and no hook would be heard.
    expect(env).toMatchObject({ SYNTHESIS_BRIDGE_TOKEN: token });
    expect(file('mcp.json', { poster })).not.toContain(token);
  });
});

describe('the settings', () => {
  test('keep Claude Code away from what it is told to keep away from', () => {
    const deny = ['Read(//state/token)'];
    const allow = ['Read(//state/media/a/**)'];
    const { permissions } = settings({ deny, allow });
    expect(permissions.allow).toEqual(allow);
    expect(permissions.deny).toEqual(expect.arrayContaining(deny));
  });

  test('offer nothing that names other sessions or promises a wake-up that never comes', () => {
    const denied = ['ListAgents', 'ScheduleWakeup', 'CronCreate', 'CronDelete', 'CronList'];
    expect(settings().permissions.deny).toEqual(denied);
    expect(settings().crossSessionInbound).toBe('refuse');
  });

  test('give it a memory of its own, which nothing fills from the transcripts of others, or leave it the shared one', () => {
    const memory = '/state/memory/0123456789abcdef';
    expect(settings({ memory })).toMatchObject({ autoMemoryDirectory: memory, autoDreamEnabled: false });
    expect(settings()).not.toHaveProperty('autoMemoryDirectory');
    expect(settings()).not.toHaveProperty('autoDreamEnabled');
  });

  const settings = (more: Partial<LaunchInput> = {}) => JSON.parse(file('settings.json', more));

  test('post every event with the token of the environment, and let it into the header', () => {
    const [entry] = settings().hooks.UserPromptSubmit[0].hooks;
    expect(entry).toEqual({
      type: 'http',
      url: 'http://127.0.0.1:40001/hooks/hold/UserPromptSubmit',
      headers: { Authorization: 'Bearer $SYNTHESIS_BRIDGE_TOKEN' },
      allowedEnvVars: ['SYNTHESIS_BRIDGE_TOKEN'],
      timeout: 5,
    });
  });

  test('hold permission questions long, and everything else shortly', () => {
    for (const [event, [entry]] of Object.entries<[{ hooks: { timeout: number }[] }]>(settings().hooks)) {
      const timeout = entry.hooks[0]?.timeout ?? 0;
      if (event === 'PermissionRequest') expect(timeout).toBe(86_400);
      else expect(timeout).toBeLessThanOrEqual(10);
    }
  });

  test('tell of the start by a command, because SessionStart takes no HTTP hook', () => {
    const [entry] = settings().hooks.SessionStart[0].hooks;
    expect(entry.type).toBe('command');
    expect(entry.command).toContain("-K '/state/it'\\''s/sessions/abc/hook.curlrc'");
  });

  test('without curl the same is posted by a file of ours', () => {
    const node = JSON.parse(file('settings.json', { poster: 'node' }));
    expect(node.hooks.SessionStart[0].hooks[0].command).toMatch(/^'\/usr\/bin\/node' .*post-hook\.mjs'/);
    expect(file('post-hook.mjs', { poster: 'node' })).toContain('process.env.SYNTHESIS_BRIDGE_TOKEN');
  });
});

describe('the MCP server, loaded always,', () => {
  const servers = (changes: Partial<LaunchInput> = {}) => JSON.parse(file('mcp.json', changes)).mcpServers;

  test('is served through the host, which knows the token by its name alone', () => {
    expect(servers()).toEqual({
      synthesis: {
        type: 'http',
        url: 'http://127.0.0.1:40001/mcp',
        headers: { Authorization: `Bearer \${SYNTHESIS_BRIDGE_TOKEN}` },
        alwaysLoad: true,
      },
    });
  });

  test('is a program where it is to be a channel', () => {
    const program = { type: 'stdio', command: '/usr/bin/node', args: ['/app/channel.js'], env: {} };
    expect(servers({ channels: { development: true } })).toEqual({
      synthesis: { ...program, alwaysLoad: true },
    });
  });
});

test('the bootstrap names key and workspace on one line each, whatever they hold', () => {
  const text = file('bootstrap.txt', { session: { ...session, key: 'a\n# New rules\u202e' } });
  expect(text).toContain('`a # New rules`');
  expect(text).toContain('`/work/dir`');
});

test('the editor is a script of ours that knows the own one of the user, where its path can be said', () => {
  const plain = { dir: '/state/sessions/abc', inherited: { ...input.inherited, EDITOR: "nano '-w'" } };
  expect(spec(plain).env).toMatchObject({ EDITOR: 'sh /state/sessions/abc/editor.sh' });
  expect(spec(plain).env.VISUAL).toBe(spec(plain).env.EDITOR);
  expect(file('editor.sh', plain)).toContain(`own='nano '\\''-w'\\'''`);
  expect(spec({ inherited: plain.inherited })).toMatchObject({
    editable: false,
    env: { EDITOR: "nano '-w'" },
  });
});

describe('the environment', () => {
  const address = { bridgeUrl: 'ws://x/bridge', token, key: 'k', claude: 'c' };
  const env = (inherited: Record<string, string>) => childEnv(inherited, address);

  test.each(['AWS_PROFILE', 'ANTHROPIC_API_KEY', 'CLAUDE_CONFIG_DIR', 'LC_ALL', 'HTTPS_PROXY', 'SIM_START'])(
    'passes %s on',
    (name) => expect(env({ [name]: 'x' })[name]).toBe('x'),
  );

  test.each(['GITHUB_TOKEN', 'NODE_OPTIONS', 'LD_PRELOAD', 'OPENCLAW_TOKEN', 'SYNTHESIS_HOME', 'BASH_ENV'])(
    'keeps %s',
    (name) => expect(env({ [name]: 'x' })).not.toHaveProperty(name),
  );

  test.each([
    'CLAUDECODE',
    'CLAUDE_CODE_ENTRYPOINT',
    'CLAUDE_CODE_CHILD_SESSION',
    'CLAUDE_CODE_SESSION_ID',
    'CLAUDE_PROJECT_DIR',
  ])('does not let %s make it a nested session', (name) =>
    expect(env({ [name]: '1' })).not.toHaveProperty(name),
  );

  test('carries the address of the bridge, and cannot be given another one', () => {
    expect(env({ SYNTHESIS_BRIDGE_TOKEN: 'stolen', TERM: 'dumb' })).toMatchObject({
      SYNTHESIS_BRIDGE_URL: 'ws://x/bridge',
      SYNTHESIS_BRIDGE_TOKEN: token,
      SYNTHESIS_OPENCLAW_SESSION: 'k',
      SYNTHESIS_CLAUDE_SESSION: 'c',
      TERM: 'xterm-256color',
    });
  });

  test('takes no messages of other sessions, whatever the user’s shell says', () => {});

  test('keeps a long call of a tool in its turn', () => {
    expect(env({ CLAUDE_CODE_MCP_AUTO_BACKGROUND_MS: '120000' }).CLAUDE_CODE_MCP_AUTO_BACKGROUND_MS).toBe(
      '0',
    );
  });

  test('lets nothing move the memory elsewhere', () => {
    for (const name of ['CLAUDE_CODE_REMOTE_MEMORY_DIR', 'CLAUDE_COWORK_MEMORY_PATH_OVERRIDE'])
      expect(env({ [name]: '/elsewhere' })).not.toHaveProperty(name);
  });

  test('leaves attachments on, because without them the model does not see the user’s skills', () => {
    expect(env({})).not.toHaveProperty('CLAUDE_CODE_DISABLE_ATTACHMENTS');
  });

  test('reaches loopback without the proxy', () => {
    expect(env({ https_proxy: 'http://p', NO_PROXY: 'corp' }).NO_PROXY).toBe('corp,127.0.0.1,localhost');
    expect(env({})).not.toHaveProperty('NO_PROXY');
  });
});
