// The terminal's owner: enters the alternate screen, and gives the terminal back whatever happens.
import { type Instance, render } from 'ink';
import { systemClock } from '../../base/time/clock.ts';
import type { Notice } from '../../domain/words/notice.ts';
import type { Config } from '../../protocol/settings/config.ts';
import { App, type Suspend } from './app.tsx';
import type { BridgePort } from './bridge/bridge-port.ts';
import type { ScreenProofs } from './bridge/screen-proofs.ts';
import { callText } from './call-text.ts';
import type { Change } from './diff/change.ts';
import { newModel } from './model/model.ts';
import { Store } from './model/store.ts';
import { copyText } from './terminal/copy-text.ts';
import { stopSelf } from './terminal/stop-self.ts';
import { paletteOf } from './text/paint.ts';

export interface TuiOptions {
  port: BridgePort;
  /** What proves decisions, where the bridge wants that. */
  proofs?: ScreenProofs;
  /** Key of the session that is chosen first. */
  session: string | undefined;
  env: Readonly<Record<string, string | undefined>>;
  /** How it calls its operator. */
  notify: Pick<Config['notify'], 'terminal' | 'longTurnMs'>;
  /** Whether a key may fill the clipboard of the terminal. */
  copy: boolean;
  /** Steps into Claude's own screen, on a machine of a cluster. The terminal is free meanwhile. @returns the exit code. */
  terminal(session: string, node: string | undefined): Promise<number | null>;
}

const cpu = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};

const inkOptions = {
  alternateScreen: true,
  incrementalRendering: true,
  interactive: true,
  exitOnCtrlC: false,
  patchConsole: false,
  maxFps: 10,
} as const;

const signals = ['SIGTERM', 'SIGHUP', 'SIGINT'] as const;

/**
 * Runs until the operator quits, or a signal ends it.
 * @throws what made it impossible to go on, after the terminal was given back.
 */
export async function runTui(options: TuiOptions): Promise<'quit' | 'signal'> {
  const { stdout } = process;
  const size = { columns: stdout.columns || 80, rows: stdout.rows || 24 };
  const suspend: Suspend = { current: undefined };
  let inkApp: Instance | undefined;
  let end: 'quit' | 'signal' = 'quit';
  const store: Store = new Store(newModel(size, Date.now(), options.session), {
    port: options.port,
    clock: systemClock,
    cpu,
    longTurnMs: options.notify.longTurnMs,
    perform(effect) {
      if (effect.type === 'quit') inkApp?.unmount();
      // Handing the terminal to nobody draws everything anew.
      else if (effect.type === 'redraw') void suspend.current?.(async () => {});
      else if (effect.type === 'compare') void compare(effect.code, effect.change);
      else if (effect.type === 'copy') copy(effect);
      else if (effect.type === 'proof') options.proofs?.answer(effect.id, effect.code);
      else if (effect.type === 'call-operator') call(effect.notice);
      else if (effect.type === 'stop') void suspend.current?.(stopSelf);
      else void suspend.current?.(() => stepInto(effect.session));
    },
  });
  // Between two pictures: each of them is written in one piece.
  const call = (notice: Notice) => {
    const text = callText(notice, options.notify.terminal, Boolean(options.env.TMUX));
    if (text !== '') stdout.write(text);
  };
  const copy = ({ what, text }: { what: string; text: string }) => {
    if (!options.copy) {
      const off = 'Copying is off: `attach.copy` in the configuration turns it on.';
      return store.act({ type: 'said', text: off, tone: 'plain' });
    }
    const { sequence, words } = copyText(what, text, Boolean(options.env.TMUX));
    stdout.write(sequence);
    store.act({ type: 'said', text: words, tone: 'good' });
  };
  const compare = async (code: string, change: Change) => {
    const { diffOf } = await import('./diff/diff-of.ts');
    store.act({ type: 'compared', code, diffed: await diffOf(change) });
  };
  const stepInto = async (session: string) => {
    const code = await options.terminal(session, store.model.homes.get(session));
    if (code !== 0) store.act({ type: 'said', text: "Claude's screen could not be shown.", tone: 'bad' });
  };
  const leave = () => {
    end = 'signal';
    inkApp?.unmount();
  };
  for (const signal of signals) process.on(signal, leave);
  if (options.proofs)
    options.proofs.screen = {
      ask: (proof) => store.act({ type: 'proof-asked', proof }),
      done: (id) => store.act({ type: 'proof-done', id }),
    };
  store.open();
  try {
    inkApp = render(<App store={store} suspend={suspend} palette={paletteOf(options.env)} />, inkOptions);
    await inkApp.waitUntilExit();
    return end;
  } finally {
    options.proofs?.close();
    store.close();
    for (const signal of signals) process.off(signal, leave);
  }
}
