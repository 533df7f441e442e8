// A provider's host with a scripted provider and a clock that the test owns.
import { onTestFinished } from 'vitest';
import { silentLog } from '../../../src/base/log.ts';
import { callTool } from '../../../src/bridge/tools/call-tool.ts';
import { ProviderHost } from '../../../src/bridge/tools/provider-host.ts';
import { Provider } from '../../../src/protocol/settings/provider.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { until } from '../../support/until.ts';
import { ScriptedProvider } from './scripted-provider.ts';

export class ProviderSeat {
  readonly clock = new ManualClock();
  readonly peer = new ScriptedProvider();
  /** Every status with its reason, in order. */
  readonly walk: string[] = [];
  readonly host: ProviderHost;
  changes = 0;

  constructor(entry: Partial<Provider> = {}) {
    this.host = new ProviderHost({
      provider: Provider.parse({ name: 'notes', command: ['notes'], ...entry }),
      version: '0.0.0',
      clock: this.clock,
      log: silentLog,
      open: this.peer.open,
      healthChanged: ({ status, reason }) =>
        this.walk.push(reason === null ? status : `${status}: ${reason}`),
      toolsChanged: () => {
        this.changes += 1;
      },
    });
    onTestFinished(() => this.host.close());
  }

  static async up(entry: Partial<Provider> = {}, script: (peer: ScriptedProvider) => void = () => {}) {
    const seat = new ProviderSeat(entry);
    script(seat.peer);
    seat.host.start();
    await until('a first probe', () => seat.host.view.last_probe);
    return seat;
  }

  /** Moves the clock in small steps, with time for what each sets off. @returns the milliseconds that it took */
  async until(what: string, isSo: () => boolean, mostMs = 10_000): Promise<number> {
    const begun = this.clock.now();
    for (;;) {
      for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setImmediate(resolve));
      if (isSo()) return this.clock.now() - begun;
      if (this.clock.now() - begun > mostMs) throw new Error(`waited ${mostMs} ms for ${what}`);
      this.clock.advance(50);
    }
  }

  becomes(status: string, mostMs?: number): Promise<number> {
    return this.until(
      `${this.host.view.status} to be ${status}`,
      () => this.host.view.status === status,
      mostMs,
    );
  }

  call(
    tool = 'notes_echo',
    args: Record<string, unknown> = {},
    signal = new AbortController().signal,
    progressed?: (words: string) => void,
  ) {
    return callTool(this.host, this.clock, tool, args, signal, progressed);
  }
}
