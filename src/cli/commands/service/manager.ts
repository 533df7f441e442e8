// The seam between the commands and who keeps the service running: systemd's user manager, or launchd.
import { execa } from 'execa';
import { CliError } from '../../cli-error.ts';

/** It waits for a stop of 30 s and a start. Milliseconds. */
const patience = 60_000;

export interface ServiceState {
  enabled: boolean;
  /** systemd's word, also for launchd: `active`, `activating`, `inactive`, `failed`, … */
  active: string;
  /** Null when none runs. */
  pid: number | null;
  /** ISO 8601; null when none runs, or nobody knows. */
  since: string | null;
  restarts: number;
  /** systemd's word for how the last run ended, such as `exit-code`; `success` when it went well. */
  result: string;
  /** Exit code of the last run. */
  status: number;
}

export interface LogCommand {
  command: string;
  args: string[];
  env: Record<string, string>;
  /** What to look at when it fails. */
  suggestion: string;
}

export interface ServiceManager {
  /** The service stays when the user's last login is over. */
  readonly lingers: boolean;
  /** What is said when it does not: a sentence, and a few words for a table. */
  readonly untilLogout: { sentence: string; short: string };
  state(): Promise<ServiceState>;
  /** Has it started with every login from now on. */
  enable(): Promise<void>;
  /** Starts what the file says now, in place of what runs. */
  restart(): Promise<void>;
  stop(): Promise<void>;
  /** The file is gone. */
  forget(): Promise<void>;
  logs(options: { follow: boolean; lines: number }): LogCommand;
}

/** @returns what it prints @throws CliError `service_manager` with its own words */
export async function askManager(
  command: readonly [string, ...string[]],
  env: Record<string, string>,
  look: string,
): Promise<string> {
  const { failed, timedOut, stdout, stderr, shortMessage } = await execa(command[0], command.slice(1), {
    env,
    stdin: 'ignore',
    timeout: patience,
    reject: false,
  });
  if (!failed) return stdout;
  const words = timedOut ? `It did not end within ${patience / 1000} s.` : stderr.trim() || shortMessage;
  throw new CliError(
    'failure',
    'service_manager',
    `\`${command.join(' ')}\` failed: ${words}`,
    `Look at \`${look}\`. Without the service, \`synthesis up --detach\` does.`,
  );
}
