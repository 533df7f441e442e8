// Takes what Claude Code reports, and sees that what is known by then can be true. Where it cannot, that is said, kept
// with what led there, and Claude Code is started afresh: a conversation never stands still without a word.
import type { Log } from '../../base/log.ts';
import type { AgentReport } from '../../domain/commands.ts';
import { brokenInvariant } from '../../domain/state/broken-invariant.ts';
import type { Dispatcher } from './dispatcher.ts';

/** How many reports of a session are remembered. */
const kept = 50;

export class ReportIntake {
  readonly #dispatcher: Dispatcher;
  readonly #log: Log;
  readonly #last = new Map<string, string[]>();

  constructor(dispatcher: Dispatcher, log: Log) {
    this.#dispatcher = dispatcher;
    this.#log = log;
  }

  /** @param heard as in `ReportAgent` */
  readonly take = (key: string, report: AgentReport, heard?: number): void => {
    if (isRemembered(report)) this.#remember(key, report);
    const outcome = this.#dispatcher.dispatch(key, report, heard);
    // Whatever a text leads to, the end of its turn shows as well.
    if (report.type === 'message.delta') return;
    const rule = outcome.ok ? brokenInvariant(outcome.session) : undefined;
    // While everything is stopped, messages wait for nothing.
    if (rule !== undefined && !this.#dispatcher.panic) this.#reset(key, rule);
    if (report.type === 'agent.exited') this.#last.delete(key);
  };

  #reset(key: string, rule: string): void {
    const reports = this.#last.get(key) ?? [];
    this.#log.error('what is known of a session cannot be true', { session: key, rule, reports });
    this.#dispatcher.dispatch(key, { type: 'session.reset', rule, reports });
  }

  #remember(key: string, report: AgentReport): void {
    const last = this.#last.get(key) ?? [];
    this.#last.set(key, [...last.slice(1 - kept), wordsOf(report)]);
  }
}

/** The others are nearly all of them, and what they say is in the journal. */
const isRemembered = ({ type }: AgentReport): boolean => type !== 'message.delta' && type !== 'agent.status';

/** What tells one from another; nothing that anybody wrote. */
const names = [
  'turn',
  'prompt',
  'task',
  'agent',
  'tool',
  'tool_use',
  'call',
  'code',
  'phase',
  'status',
  'hook',
];

function wordsOf(report: AgentReport): string {
  const fields = Object.entries(report).filter(
    ([name, value]) => names.includes(name) && value !== undefined,
  );
  return [report.type, ...fields.map(([name, value]) => `${name}=${String(value)}`)].join(' ');
}
