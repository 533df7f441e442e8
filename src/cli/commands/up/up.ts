import { resolve } from 'node:path';
import type { Bridge, BridgeOptions } from '../../../bridge/main.ts';
import { isAlwaysContained } from '../../../domain/views/contain-modes.ts';
import type { GatewayStatus } from '../../../domain/views/control.ts';
import { goOnWords } from '../../../domain/views/words/claude-words.ts';
import type { JournalRow } from '../../../protocol/events/events.ts';
import { CliError } from '../../cli-error.ts';
import { readConfig } from '../../config/config.ts';
import { controlPath } from '../../control-path.ts';
import { exitCodes } from '../../exit-codes.ts';
import { printJson, say } from '../../output/out.ts';
import { eventFields, RowWords } from '../../output/row-printer.ts';
import { safeLine } from '../../output/safe.ts';
import { gatewayWords } from '../../output/words/gateway-words.ts';
import { configFile } from '../../paths.ts';
import { canAsk } from '../../questions.ts';
import { version } from '../../version.ts';
import { firstWords } from './up-first-words.ts';
import { flagsOf, lostFlags } from './up-flags.ts';
import { askForFolders } from './up-folders.ts';
import type { UpOptions } from './up-options.ts';
import { makeRoom } from './up-replace.ts';
import type { StatusView } from './up-status.ts';
import { stopOnSignals } from './up-stop.ts';

/** Runs the bridge in this process until it is told to stop. @param ready called once, behind the ready line */
export async function up(options: UpOptions, ready: () => void): Promise<number> {
  const { state, json, quiet, port, claude, cwd, permissionMode, delivery } = options;
  const flags = { port, claude, cwd, permissionMode, delivery };
  const path = configFile(process.env);
  const config = readConfig(path, process.env, flags);
  const folder = resolve(config.cwd ?? process.cwd());
  // The disks answer while this process loads what it needs next.
  const folders = await askForFolders(config, folder);
  // Consent: naming the channel on the command line is the operator's word for this run.
  if (flags.delivery === 'channel') config.channels.development = true;
  else if (!json && !quiet && canAsk()) {
    await folders.found;
    const { consentOf } = await import('./up-consent.ts');
    config.channels.development = await consentOf(config, path);
  }
  if (options.detach) {
    await folders.found;
    const { upDetached } = await import('./up-detached.ts');
    const onExit = options.onExit ?? config.hosts.onExit ?? 'keep';
    return upDetached({ ...options, onExit }, isAlwaysContained(config));
  }
  const control = controlPath(state, process.env);
  const rows = new RowPrinter(json, quiet);
  const start = await loadBridge();
  await folders.found;
  const before = options.replace ? await makeRoom(state) : undefined;
  const first = json ? [] : firstWords(state, isAlwaysContained(config));
  const bridge = await start({
    config: { ...config, cwd: folder },
    stateDir: state,
    configFile: path,
    controlPath: control,
    version,
    env: process.env,
    flags: flagsOf(options),
    onRow: (row) => rows.take(row),
    onNotice: (words) => rows.notice(words),
    onGateway: (status) => rows.gateway(status),
  });
  let status: StatusView | undefined;
  // Before the ready line: whoever reads it may stop the bridge at once.
  stopOnSignals(bridge, {
    onExit: options.onExit ?? config.hosts.onExit,
    asks: !json && !quiet,
    say: (words) => json || (status ?? { say }).say(words),
    hold: () => {
      status?.close();
      status = undefined;
      return rows.hold();
    },
  });
  announce(
    bridge,
    [...bridge.notices, ...lostFlags(before?.flags ?? {}, flagsOf(options))],
    options,
    control,
    first,
  );
  status = await statusView(options, bridge);
  rows.open(status);
  ready();
  const { reason, failed, kept } = await bridge.closed;
  // A module of the operator's own may leave something behind that keeps the process.
  if (config.telemetry.module !== undefined) setTimeout(() => process.exit(), 1_000).unref();
  status?.close();
  if (json) printJson({ event: 'stopped', reason, failed, kept });
  else if (failed)
    say(`The bridge has stopped: ${reason}. Check the disk; the next start says what is gone.`);
  else say(`The bridge has stopped: ${reason}. Conversations are kept. ${goOnWords(kept)}`.trim());
  return failed ? exitCodes.failure : exitCodes.ok;
}

/** The table needs a terminal that can move its cursor. */
async function statusView(
  { state, json, quiet }: UpOptions,
  bridge: Bridge,
): Promise<StatusView | undefined> {
  if (json || quiet || !process.stderr.isTTY || process.env.TERM === 'dumb') return undefined;
  const { StatusView } = await import('./up-status.ts');
  return new StatusView(state, bridge.url);
}

/** Loads the bridge: what is left to do then takes no time. */
async function loadBridge(): Promise<(options: BridgeOptions) => Promise<Bridge>> {
  const { startBridge, BridgeStartError } = await import('../../../bridge/main.ts');
  return async (options) => {
    try {
      return await startBridge(options);
    } catch (error) {
      if (error instanceof BridgeStartError) {
        const exit = error.code === 'journal_locked' ? 'already_running' : 'failure';
        throw new CliError(exit, error.code, error.message, error.suggestion);
      }
      throw error;
    }
  };
}

function announce(
  bridge: Bridge,
  notices: readonly string[],
  { state, json }: UpOptions,
  control: string,
  first: readonly string[],
): void {
  if (json) {
    printJson({
      event: 'ready',
      url: bridge.url,
      pid: process.pid,
      state_dir: state,
      token_file: bridge.tokenFile,
      control,
      notices,
    });
    return;
  }
  say(`The bridge is ready at ${bridge.url}/v1 (token in ${bridge.tokenFile}).`);
  for (const words of [...notices, ...first]) say(safeLine(words));
  say('Press Ctrl-C to stop; conversations are kept.');
}

/** Holds back what happens before the ready line, which scripts read first. */
class RowPrinter {
  readonly #json: boolean;
  readonly #quiet: boolean;
  readonly #words = new RowWords();
  #held: (() => void)[] | undefined = [];
  #status: StatusView | undefined;

  constructor(json: boolean, quiet: boolean) {
    this.#json = json;
    this.#quiet = quiet;
  }

  take(row: JournalRow): void {
    this.#inTurn(() => this.#show(row));
  }

  gateway(status: GatewayStatus): void {
    this.#inTurn(() => {
      if (this.#json) printJson({ event: 'gateway', ...status });
      else this.#say(`${new Date(status.since).toTimeString().slice(0, 8)}  ${gatewayWords(status)}`);
    });
  }

  notice(words: string): void {
    this.#inTurn(() => (this.#json ? printJson({ event: 'notice', words }) : this.#say(words)));
  }

  #inTurn(print: () => void): void {
    if (this.#quiet) return;
    if (this.#held) this.#held.push(print);
    else print();
  }

  open(status: StatusView | undefined): void {
    const held = this.#held ?? [];
    this.#held = undefined;
    this.#status = status;
    for (const print of held) print();
  }

  /** Holds back what happens until the returned function is called, and shows no table any more. */
  hold(): () => void {
    this.#held ??= [];
    return () => this.open(undefined);
  }

  #show(row: JournalRow): void {
    if (this.#json) {
      if (row.event.type !== 'answer.delta') printJson(eventFields(row));
      return;
    }
    const line = this.#words.lineOf(row);
    if (line !== undefined) this.#say(line);
  }

  #say(line: string): void {
    if (this.#status) this.#status.say(line);
    else say(line);
  }
}
