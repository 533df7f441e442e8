// Which manager keeps the service running, and what differs in the file that tells it to.
import { homedir } from 'node:os';
import { join } from 'node:path';
import { agentLabel, agentSettings, agentText, fitsAgent } from './agent.ts';
import type { ServiceManager } from './manager.ts';
import type { ServiceSettings } from './settings.ts';
import { fitsUnit, settingsIn, unitName, unitText } from './unit.ts';

export interface ServiceKind {
  /** What its manager calls the file. */
  noun: 'unit' | 'agent';
  file(): string;
  text(settings: ServiceSettings): string;
  /** @returns undefined for a file that somebody else has written */
  settingsIn(text: string): ServiceSettings | undefined;
  fits: { what: string; rule: string; test(value: string): boolean };
  /** Stops one that we did not make. */
  stopCommand: string;
  /** What of the settings the machine says, not the operator. */
  found(): Promise<Partial<ServiceSettings>>;
  /** @throws CliError `no_user_manager` */
  manager(env: NodeJS.ProcessEnv): Promise<ServiceManager>;
}

const systemd: ServiceKind = {
  noun: 'unit',
  // Where the user manager looks whatever its environment is.
  file: () => join(homedir(), '.config/systemd/user', unitName),
  text: unitText,
  settingsIn,
  fits: {
    what: 'A unit of systemd',
    rule: 'without control characters that does not end in a backslash',
    test: fitsUnit,
  },
  stopCommand: `systemctl --user disable --now ${unitName}`,
  found: async () => ({}),
  manager: async (env) => new (await import('./systemctl.ts')).Systemctl(env),
};

const launchd: ServiceKind = {
  noun: 'agent',
  file: () => join(homedir(), 'Library/LaunchAgents', `${agentLabel}.plist`),
  text: agentText,
  settingsIn: agentSettings,
  fits: { what: 'An agent of launchd', rule: 'without control characters', test: fitsAgent },
  stopCommand: `launchctl bootout gui/$(id -u)/${agentLabel}`,
  found: async () => ({ session: await (await import('./launchctl.ts')).sessionHere() }),
  manager: async () => new (await import('./launchctl.ts')).Launchctl(launchd.file()),
};

export const kindFor = (platform: NodeJS.Platform): ServiceKind =>
  platform === 'darwin' ? launchd : systemd;
