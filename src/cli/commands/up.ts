import { mkdirSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { Bridge, BridgeOptions } from '../../bridge/main.ts';
import type { JournalRow } from '../../protocol/events.ts';
import { CliError } from '../cli-error.ts';
import { readConfig } from '../config.ts';
import { exitCodes } from '../exit-codes.ts';
import { narrate } from '../output/narrate.ts';
import { printJson, say } from '../output/out.ts';
import { configFile, controlPath } from '../paths.ts';
import { version } from '../version.ts';

export interface UpOptions {
  state: string;
  port?: number;
  claude?: string;
  cwd?: string;
  permissionMode?: string;
  delivery?: string;
  json: boolean;
}

/** Runs the bridge in this process until it is told to stop. First Ctrl-C drains, second quits at once. */
export async function up(options: UpOptions): Promise<number> {
  const { state, json, port, claude, cwd, permissionMode, delivery } = options;
  const flags = { port, claude, cwd, permissionMode, delivery };
  const config = readConfig(configFile(process.env), process.env, flags);
  // Consent: naming the channel on the command line is the operator's word for this run.
  if (flags.delivery === 'channel') config.channels.development = true;
  const control = controlPath(state, process.env);
  if (process.platform !== 'win32') mkdirSync(dirname(control), { recursive: true, mode: 0o700 });
  const rows = new RowPrinter(json);
  const bridge = await start({
    config: { ...config, cwd: resolve(config.cwd ?? process.cwd()) },
    stateDir: state,
    controlPath: control,
    version,
    env: process.env,
    onRow: (row) => rows.take(row),
  });
  announce(bridge, state, control, json);
  rows.open();
  stopOnSignals(bridge, json);
  const reason = await bridge.closed;
  if (!json) say(`The bridge has stopped: ${reason}. Conversations are kept.`);
  return exitCodes.ok;
}

async function start(options: BridgeOptions): Promise<Bridge> {
  const { startBridge, BridgeStartError } = await import('../../bridge/main.ts');
  try {
    return await startBridge(options);
  } catch (error) {
    if (error instanceof BridgeStartError) {
      throw new CliError('failure', error.code, error.message, error.suggestion);
    }
    throw error;
  }
}

function announce(bridge: Bridge, state: string, control: string, json: boolean): void {
  if (json) {
    printJson({
      event: 'ready',
      url: bridge.url,
      pid: process.pid,
      state_dir: state,
      token_file: bridge.tokenFile,
      control,
    });
    return;
  }
  say(`The bridge is ready at ${bridge.url}/v1 (token in ${bridge.tokenFile}).`);
  for (const words of bridge.notices) say(words);
  say('Press Ctrl-C to stop; conversations are kept.');
}

/** Holds back what happens before the ready line, which scripts read first. */
class RowPrinter {
  readonly #json: boolean;
  #held: JournalRow[] | undefined = [];

  constructor(json: boolean) {
    this.#json = json;
  }

  take(row: JournalRow): void {
    if (this.#held) this.#held.push(row);
    else show(row, this.#json);
  }

  open(): void {
    const held = this.#held ?? [];
    this.#held = undefined;
    for (const row of held) show(row, this.#json);
  }
}

function show(row: JournalRow, json: boolean): void {
  if (json) {
    if (row.event.type === 'answer.delta') return;
    const { type, ...fields } = row.event;
    printJson({
      event: type,
      session: row.session,
      at: new Date(row.at).toISOString(),
      seq: row.seq,
      ...fields,
    });
    return;
  }
  const line = narrate(row);
  if (line) say(line);
}

function stopOnSignals(bridge: Bridge, json: boolean): void {
  let asked = false;
  const stop = (signal: NodeJS.Signals) => {
    if (asked) process.exit(exitCodes.interrupted);
    asked = true;
    if (!json) say(`Stopping (${signal}); press Ctrl-C again to quit at once.`);
    void bridge.close(`received ${signal}`);
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, stop);
}
