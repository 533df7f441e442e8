// launchd, through its own command. Only `bootstrap` reads the agent's file anew, so a restart is `bootout` before it.
import { mkdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { execa } from 'execa';
import { CliError } from '../../cli-error.ts';
import { agentLabel, agentLog } from './agent.ts';
import { askManager, type LogCommand, type ServiceManager, type ServiceState } from './manager.ts';

/** As long as launchd waits for the bridge before it kills it, and a little. Milliseconds. */
const patience = 35_000;

const domains = () => [`gui/${process.getuid?.()}`, `user/${process.getuid?.()}`] as const;

/** @returns what launchd says of it; undefined where there is no such thing */
async function printed(target: string): Promise<string | undefined> {
  const { failed, stdout } = await execa('launchctl', ['print', target], { stdin: 'ignore', reject: false });
  return failed ? undefined : stdout;
}

/** @returns `Background` where the user has not logged in at the screen, as with SSH alone */
export async function sessionHere(): Promise<'Background' | undefined> {
  return (await printed(domains()[0])) === undefined ? 'Background' : undefined;
}

export class Launchctl implements ServiceManager {
  readonly lingers = false;
  readonly untilLogout = {
    sentence:
      'The service runs while you are logged in: launchd ends it with your logout, and starts it with your next login.',
    short: 'off: your logout ends it; your next login starts it',
  };
  readonly #file: string;

  constructor(file: string) {
    this.#file = file;
  }

  async state(): Promise<ServiceState> {
    const { domain, shown } = await this.#loaded();
    return { ...stateIn(shown ?? ''), enabled: shown !== undefined && !(await isDisabled(domain)) };
  }

  async enable(): Promise<void> {
    const { domain } = await this.#loaded();
    await this.#ask('enable', `${domain}/${agentLabel}`);
  }

  async restart(): Promise<void> {
    await this.stop();
    mkdirSync(dirname(agentLog(homedir())), { recursive: true });
    const { domain } = await this.#loaded();
    await this.#ask('bootstrap', domain, this.#file);
    // At a busy login launchd puts off what nobody has asked for.
    await this.#ask('kickstart', `${domain}/${agentLabel}`);
  }

  /** `bootout` may return before the bridge has ended, and nothing can be loaded until it has. */
  async stop(): Promise<void> {
    const { domain, shown } = await this.#loaded();
    if (shown === undefined) return;
    const target = `${domain}/${agentLabel}`;
    const refusal = await this.#ask('bootout', target).then(
      () => undefined,
      (error: unknown) => error,
    );
    const end = performance.now() + patience;
    while ((await printed(target)) !== undefined) {
      if (performance.now() > end) throw refusal ?? stillThere(target);
      await delay(50);
    }
  }

  async forget(): Promise<void> {}

  logs({ follow, lines }: { follow: boolean; lines: number }): LogCommand {
    return {
      command: 'tail',
      args: ['-n', String(lines), ...(follow ? ['-F'] : []), agentLog(homedir())],
      env: {},
      suggestion: 'launchd writes that file when the service says something; the bridge’s own log is there.',
    };
  }

  /** Where it is loaded; else where it belongs. */
  async #loaded(): Promise<{ domain: string; shown: string | undefined }> {
    const [screen, background] = domains();
    for (const domain of [screen, background]) {
      const shown = await printed(`${domain}/${agentLabel}`);
      if (shown !== undefined) return { domain, shown };
    }
    return { domain: (await sessionHere()) === undefined ? screen : background, shown: undefined };
  }

  #ask(...args: string[]): Promise<string> {
    return askManager(['launchctl', ...args], {}, `launchctl print ${domains()[0]}/${agentLabel}`);
  }
}

/** By `launchctl disable`, which outlasts the file. */
async function isDisabled(domain: string): Promise<boolean> {
  const { stdout } = await execa('launchctl', ['print-disabled', domain], { stdin: 'ignore', reject: false });
  return new RegExp(`"${agentLabel.replaceAll('.', '\\.')}" => (?:disabled|true)`).test(stdout);
}

const stillThere = (target: string) =>
  new CliError(
    'timeout',
    'timeout',
    `launchd has not ended ${target} within ${patience / 1000} s.`,
    'Nothing accepted is lost: it is on disk. Wait, and run the same command again.',
  );

/** Of what `launchctl print` shows of a service: its own lines are those behind one tab. */
export function stateIn(shown: string): Omit<ServiceState, 'enabled'> {
  const told = new Map(
    [...shown.matchAll(/^\t(\w[^=\n]*?) = (.*)$/gm)].map(([, name = '', value = '']) => [name, value]),
  );
  const pid = Number.parseInt(told.get('pid') ?? '', 10) || null;
  const signal = Number(/\d+$/.exec(told.get('last terminating signal') ?? '')?.[0] ?? 0);
  const code = Number.parseInt(told.get('last exit code') ?? '', 10) || 0;
  const status = signal > 0 ? 128 + signal : code;
  const failed = pid === null && status !== 0;
  return {
    active: pid !== null ? 'active' : failed ? 'failed' : 'inactive',
    pid,
    since: null,
    restarts: Math.max(0, Number.parseInt(told.get('runs') ?? '', 10) - 1 || 0),
    result: failed ? 'exit-code' : 'success',
    status,
  };
}
