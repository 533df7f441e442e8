import type { RunOptions } from '../../../../src/bridge/claude/run-options.ts';
import { digestOf } from '../../../../src/domain/question/picture.ts';
import type { Ask } from '../../../../src/domain/state/session.ts';
import type { Door } from '../../../../src/protocol/events/permission-events.ts';
import { WatchedRun } from '../watched-run.ts';
import { Menu } from './menu.ts';

/** A Claude Code that draws a dialog now and then, and whoever is asked about it. */
export class DialogRun extends WatchedRun {
  readonly menu: Menu;

  constructor(given: Partial<RunOptions> = {}) {
    const menu = new Menu();
    super(given, menu);
    this.menu = menu;
    menu.isOpen = false;
  }

  get asks(): readonly Ask[] {
    return this.session.asks;
  }

  get asked(): Ask {
    const ask = this.asks.findLast(({ state }) => state.name === 'asked');
    if (!ask) throw new Error('nothing is asked');
    return ask;
  }

  /** Somebody answers, and the effect of that reaches the run. */
  answer(verdict: 'allow' | 'deny', reason?: string, by: Door = 'chat'): void {
    const ask = this.asked;
    const said = { ...(reason !== undefined && { reason }), shown: digestOf(ask) };
    const events = this.core.dispatch({ type: 'permission.decide', code: ask.code, verdict, by, ...said });
    for (const event of events) {
      if (event.type !== 'permission.decided') continue;
      const { code, scope, reason: words } = event;
      this.run.dialogs.answer({ code, verdict, by, scope, ...(words !== undefined && { reason: words }) });
    }
    this.run.watch.poke();
  }
}
