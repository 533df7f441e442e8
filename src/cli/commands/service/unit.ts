// The unit of systemd: settings → text, and back.
import { exitCodes } from '../../exit-codes.ts';
import { argumentsOf, pathOf, ServiceSettings } from './settings.ts';

export const unitName = 'synthesis.service';

const mark = '# settings: ';

/** The same after the same restart: a wrong configuration, files that somebody else may have made, another bridge. */
const final = [exitCodes.usage, exitCodes.denied, exitCodes.already_running].join(' ');

/** Specifiers are resolved nearly everywhere. */
const plain = (text: string): string => text.replaceAll('%', '%%');

const quoted = (text: string): string => `"${plain(text).replace(/[\\"]/g, '\\$&')}"`;

/** Variables are put into arguments, but not into the path of the program. */
const argument = (text: string): string => quoted(text).replaceAll('$', '$$$$');

/** @returns false for what no line of a unit can hold: an end of line, another control character, a `\` at its end */
export const fitsUnit = (text: string): boolean => !/[\u0000-\u001f\u007f]|\\$/.test(text);

/**
 * What a user's manager can take away from the bridge without taking it from Claude's shell: that inherits everything, as a
 * scope changes nothing but the cgroup of what is started in it.
 *
 * - `LimitCORE`: a dump of the bridge would hold the token and conversations. Only the soft limit: `ulimit -c` still works.
 * - No `NoNewPrivileges`, as `sudo` and `ping` are what people let Claude run; nor what brings it along where the manager is
 *   not root (systemd.exec(5), 252): `RestrictSUIDSGID`, `LockPersonality`, `ProtectClock`, `ProtectKernelTunables`,
 *   `SystemCallFilter`, `RestrictNamespaces` (which Claude Code's own sandbox needs, too), and others.
 * - No `MemoryDenyWriteExecute`: V8 compiles. No `PrivateTmp` nor `ProtectHome`: tmux, sockets and projects are there.
 * - No `UMask`: the bridge makes its files 0600 itself, and what Claude builds has the user's own mode.
 */
const hardening = ['LimitCORE=0:infinity'];

/**
 * Hosts of Claude Code are in scopes of their own, so that `mixed` ends the bridge by SIGTERM and what else it has
 * started by SIGKILL when that is over, but no Claude Code.
 */
export function unitText(settings: ServiceSettings): string {
  const { node, cwd, env } = settings;
  const variables = Object.entries({ PATH: pathOf(settings), ...env });
  return `# Made by \`synthesis service install\`, which also brings it up to date. For settings of your own:
# systemctl --user edit ${unitName}
${mark}${JSON.stringify(settings)}
[Unit]
Description=synthesis, the bridge to Claude Code
StartLimitIntervalSec=300
StartLimitBurst=5

[Service]
Type=exec
WorkingDirectory=${plain(cwd)}
${variables.map(([name, value]) => `Environment=${quoted(`${name}=${value}`)}`).join('\n')}
ExecStart=${[quoted(node), ...argumentsOf(settings).map(argument)].join(' ')}
Restart=on-failure
RestartSec=2
RestartPreventExitStatus=${final}
SuccessExitStatus=${exitCodes.interrupted}
KillMode=mixed
TimeoutStopSec=30
${hardening.join('\n')}

[Install]
WantedBy=default.target
`;
}

/** @returns undefined for a unit that somebody else has written */
export function settingsIn(unit: string): ServiceSettings | undefined {
  const line = unit.split('\n').find((each) => each.startsWith(mark));
  if (line === undefined) return undefined;
  try {
    return ServiceSettings.parse(JSON.parse(line.slice(mark.length)), { jitless: true });
  } catch {
    return undefined;
  }
}
