import { describe, expect, test } from 'vitest';
import type { ServiceSettings } from '../../../src/cli/commands/service/settings.ts';
import { stateIn } from '../../../src/cli/commands/service/systemctl.ts';
import { fitsUnit, settingsIn, unitText } from '../../../src/cli/commands/service/unit.ts';

const settings: ServiceSettings = {
  version: '1.2.3',
  node: '/opt/node 24/bin/node',
  program: '/usr/local/bin/synthesis',
  claude: '/home/alice/tools/claude',
  home: '/home/alice',
  cwd: '/home/alice/50% work',
  stateDir: '/home/alice/a "b" $HOME \\c',
  env: { SYNTHESIS_HOME: '/home/alice/100%"' },
};

describe('the unit', () => {
  test('is this text, in which nothing is a specifier, a variable or the end of a quote', () => {
    expect(
      unitText(settings),
    ).toBe(`# Made by \`synthesis service install\`, which also brings it up to date. For settings of your own:
# systemctl --user edit synthesis.service
# settings: ${JSON.stringify(settings)}
[Unit]
Description=synthesis, the bridge to Claude Code
StartLimitIntervalSec=300
StartLimitBurst=5

[Service]
Type=exec
WorkingDirectory=/home/alice/50%% work
Environment="PATH=/opt/node 24/bin:/home/alice/tools:/home/alice/.local/bin:/usr/local/bin:/usr/bin:/bin"
Environment="SYNTHESIS_HOME=/home/alice/100%%\\""
ExecStart="/opt/node 24/bin/node" "/usr/local/bin/synthesis" "up" "--quiet" "--on-exit" "keep" "--state-dir" "/home/alice/a \\"b\\" $$HOME \\\\c"
Restart=on-failure
RestartSec=2
RestartPreventExitStatus=2 5 8
SuccessExitStatus=130
KillMode=mixed
TimeoutStopSec=30
LimitCORE=0:infinity

[Install]
WantedBy=default.target
`);
  });

  test('leaves no dump of the bridge behind', () => {
    expect(unitText(settings).split('\n')).toContain('LimitCORE=0:infinity');
  });

  // systemd.exec(5) of 252: each brings NoNewPrivileges where the manager is not root, or a namespace of its own.
  test.each([
    'NoNewPrivileges',
    'RestrictSUIDSGID',
    'LockPersonality',
    'RestrictRealtime',
    'RestrictNamespaces',
    'RestrictAddressFamilies',
    'MemoryDenyWriteExecute',
    'SystemCallFilter',
    'SystemCallArchitectures',
    'SystemCallLog',
    'ProtectClock',
    'ProtectKernelTunables',
    'ProtectKernelModules',
    'ProtectKernelLogs',
    'ProtectHostname',
    'PrivateDevices',
    'PrivateTmp',
    'PrivateUsers',
    'ProtectHome',
    'ProtectSystem',
    'DynamicUser',
    'CapabilityBoundingSet',
    'UMask',
  ])('takes nothing from the shell that Claude has: there is no %s', (directive) => {
    expect(unitText(settings)).not.toMatch(new RegExp(`^${directive}=`, 'm'));
  });

  test('tells the settings that it was made of', () => {
    expect(settingsIn(unitText(settings))).toEqual(settings);
  });

  test.each(['', '[Service]\nExecStart=/bin/true\n', '# settings: {"version":', '# settings: {"version":1}'])(
    'of somebody else tells none: %j',
    (text) => expect(settingsIn(text)).toBeUndefined(),
  );

  test.each(['/a\nExecStart=/bin/sh', '/a\rb', '/a\u0000', '/a\u001b[2J', '/a\\'])('cannot hold %j', (path) =>
    expect(fitsUnit(path)).toBe(false),
  );
});

test('what systemd shows is read, with its time in UTC', () => {
  const shown = `Result=success
NRestarts=2
MainPID=42
ExecMainStatus=0
ExecMainStartTimestamp=Tue 2026-02-03 10:00:00 UTC
ActiveState=active
UnitFileState=enabled`;
  expect(stateIn(shown)).toEqual({
    enabled: true,
    active: 'active',
    pid: 42,
    since: '2026-02-03T10:00:00.000Z',
    restarts: 2,
    result: 'success',
    status: 0,
  });
  expect(stateIn('MainPID=0\nExecMainStartTimestamp=\nActiveState=inactive')).toMatchObject({
    pid: null,
    since: null,
    enabled: false,
  });
});
