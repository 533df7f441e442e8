// Programs of the operator's own that the bridge runs: nothing waits for them, and their failure is said.
import type { Log } from '../../base/log.ts';
import type { Health, JournalRow } from '../../protocol/events/events.ts';
import type { Config } from '../../protocol/settings/config.ts';
import type { Dispatcher } from '../app/dispatcher.ts';
import type { Masks } from '../app/masking.ts';
import type { OpenedJournal } from '../journal/start/open-journal.ts';
import { Notifier } from '../notify/notifier.ts';
import { type AnchorShipper, anchorShipper } from './journal/anchor-shipper.ts';

export interface OperatorProgramsOptions {
  config: Pick<Config, 'audit' | 'notify'>;
  opened: OpenedJournal;
  dispatcher: Dispatcher;
  env: Readonly<Record<string, string | undefined>>;
  log: Log;
  masks: Masks;
}

export class OperatorPrograms {
  readonly #shipper: AnchorShipper | undefined;
  readonly #notifier: Notifier | undefined;

  constructor({ config, opened, dispatcher, env, log, masks }: OperatorProgramsOptions) {
    this.#shipper = anchorShipper(config.audit, opened, log);
    const { command, longTurnMs } = config.notify;
    if (command === undefined) return;
    const isOpen = (key: string, code: string) =>
      dispatcher.session(key)?.asks.some((ask) => ask.code === code && ask.state.name === 'asked') ?? false;
    this.#notifier = new Notifier({ command, longTurnMs, env, journal: opened.journal, isOpen, log, masks });
  }

  get health(): Health[] {
    return [...(this.#shipper?.health ?? []), ...(this.#notifier?.health ?? [])];
  }

  load(row: JournalRow): void {
    this.#notifier?.load(row);
  }

  observe(row: JournalRow): void {
    this.#notifier?.observe(row);
  }

  start(): void {
    this.#shipper?.start();
  }

  /** Idempotent. */
  async close(): Promise<void> {
    await Promise.all([this.#shipper?.close(), this.#notifier?.close()]);
  }
}
