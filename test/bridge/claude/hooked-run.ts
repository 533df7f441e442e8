import type { ClaudeRun } from '../../../src/bridge/claude/claude-run.ts';
import type { RunOptions } from '../../../src/bridge/claude/run-options.ts';
import type { Expected } from '../../../src/bridge/claude/turn/translate.ts';
import type { AgentReport } from '../../../src/domain/commands.ts';
import type { Session } from '../../../src/domain/state/session.ts';
import type { Turn } from '../../../src/domain/state/turn.ts';
import type { SessionEvent } from '../../../src/protocol/events/events.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { SmallCore } from '../../support/small-core.ts';
import { bareRun } from './bare-run.ts';
import { NoHost } from './no-host.ts';
import { Title } from './screen/title.ts';

/** A Claude Code of which only hooks come, and a core that is told what they report. */
export class HookedRun {
  readonly host = new NoHost();
  readonly terminal: Title;
  readonly clock = new ManualClock();
  readonly core = new SmallCore();
  readonly reports: AgentReport[] = [];
  /** What its settings say against its hooks. */
  hooksOff: string | undefined;
  readonly run: ClaudeRun;
  #codes = 0;
  #prompt = 'p';

  /** @param given as a test wants it otherwise */
  constructor(given: Partial<RunOptions> = {}, terminal = new Title()) {
    this.terminal = terminal;
    const { host, clock, core } = this;
    this.run = bareRun({
      ...given,
      host,
      terminal,
      clock,
      session: () => core.session(),
      hooksOff: async () => this.hooksOff,
      claimCode: () => {
        this.#codes += 1;
        return `code${this.#codes}`;
      },
      report: (report) => {
        this.reports.push(report);
        core.dispatch(report);
      },
    });
    core.dispatch({ type: 'agent.starting', run: 'r1' });
    core.dispatch({ type: 'agent.ready', pid: 1, delivery: 'terminal', health: [] });
    this.run.listen();
  }

  get session(): Session {
    return this.core.session();
  }

  /** A message is on its way, and Enter was pressed. */
  expect = (turn: string, text: string, road: Expected['road'] = 'keys'): void => {
    this.core.hand(turn, text);
    this.core.dispatch({ type: 'prompt.handing', turn });
    this.run.expected = { turn, text, road };
    this.run.fate = undefined;
  };

  /** @returns what it reported */
  hook(event: string, fields: Record<string, unknown> = {}): AgentReport[] {
    const before = this.reports.length;
    this.host.hooked(event, { session_id: 's', prompt_id: this.#prompt, ...fields });
    return this.reports.slice(before);
  }

  /** @returns what happened */
  events(event: string, fields: Record<string, unknown> = {}): SessionEvent[] {
    const before = this.core.events.length;
    this.hook(event, fields);
    return this.core.events.slice(before);
  }

  submit(prompt: string, prompt_id = this.#prompt): AgentReport[] {
    this.#prompt = prompt_id;
    return this.hook('UserPromptSubmit', { prompt });
  }

  say(delta: string, more: Record<string, unknown> = {}): AgentReport[] {
    return this.hook('MessageDisplay', { message_id: 'm', index: 0, delta, final: true, ...more });
  }

  stop(last_assistant_message: string, more: Record<string, unknown> = {}): AgentReport[] {
    return this.hook('Stop', { last_assistant_message, background_tasks: [], ...more });
  }

  /** A message of ours that Claude works on. */
  working(turn = 't', text = 'hi', prompt = 'p'): void {
    this.expect(turn, text);
    this.submit(text, prompt);
  }

  turn(id: string): Turn {
    const found = this.session.turns.find((turn) => turn.id === id);
    if (!found) throw new Error(`no turn ${id} in ${this.session.turns.map((turn) => turn.id).join(' ')}`);
    return found;
  }

  /** The turns that nobody in a chat asked for. */
  get adopted(): Turn[] {
    return this.session.turns.filter(({ adopted }) => adopted);
  }
}

/** Its outcome, and what Claude said. */
export const outcome = ({ phase, answer }: Turn): [string, string] => [
  phase.name === 'settled' ? phase.outcome : phase.name,
  String(answer.text),
];
