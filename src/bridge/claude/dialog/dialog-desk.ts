// The dialog that no hook told, as a question: one at a time, for only one stands on the screen. Whoever answers it presses
// its keys; nobody else does, and no time either.
import type { Clock } from '../../../base/time/clock.ts';
import type { AgentReport } from '../../../domain/commands.ts';
import { needsOf, type Ruling, ruleWords } from '../../../domain/policy/ruling.ts';
import { type DialogInput, dialogTool, numberIn } from '../../../domain/question/dialog-question.ts';
import type { PermissionAnswer } from '../../app/ports.ts';
import type { DrawnDialog } from '../screen/read-dialog.ts';
import type { Pressed } from './press-option.ts';

export interface DialogDeskOptions {
  clock: Clock;
  permissionMs: number;
  report(report: AgentReport): void;
  claimCode(): string;
  /** What the policy says to it, as to the use of a tool. */
  judge(tool: string, input: unknown): Ruling;
  /** Whether nobody can answer it any more. An answer may be on its way from there to here. */
  isOver(code: string): boolean;
  /** Questions that a bridge before asked, and that are not over. */
  known?: readonly string[] | undefined;
}

/** What was said of a dialog. `option` from 0; undefined: Esc. */
export interface DialogAnswer {
  option: number | undefined;
}

export class DialogDesk {
  readonly #options: DialogDeskOptions;
  #code: string | undefined;
  #answer: PermissionAnswer | undefined;
  /** What became of the last answer, for whoever is asked next. */
  #note: string | undefined;

  constructor(options: DialogDeskOptions) {
    this.#options = options;
  }

  /** Nobody can answer it any more, and nobody has. */
  get isOver(): boolean {
    return this.#code !== undefined && this.#answer === undefined && this.#options.isOver(this.#code);
  }

  /** What has to be done before anything else can be. */
  get words(): string | undefined {
    if (this.#code === undefined || this.isOver) return undefined;
    return `Claude Code shows a dialog, which waits for an answer to ${this.#code}.`;
  }

  /** What somebody has said to it, to be carried out. */
  get answered(): DialogAnswer | undefined {
    if (!this.#answer) return undefined;
    const { verdict, reason = '' } = this.#answer;
    return { option: verdict === 'deny' ? undefined : numberIn(reason) - 1 };
  }

  /** A bridge before asked these: what it had answered and not pressed nobody knows, so they are asked anew. */
  startAfresh(): void {
    for (const code of this.#options.known ?? [])
      this.#options.report({ type: 'permission.withdrawn', code, detail: 'the bridge was started anew' });
  }

  ask({ id, words, options, at }: DrawnDialog): void {
    const { clock, permissionMs, report, claimCode, judge } = this.#options;
    const code = claimCode();
    const input: DialogInput = {
      dialog: id,
      words,
      options: options.map(({ label }) => label),
      ...(at !== undefined && { preselected: at + 1 }),
      ...(this.#note !== undefined && { note: this.#note }),
    };
    this.#code = code;
    this.#note = undefined;
    const ruling = judge(dialogTool, input);
    // Several may mean several options, and what a rule denies it may deny for whoever is no operator.
    const isOperators = ruling.decision === 'deny' || needsOf(ruling) !== undefined;
    report({
      type: 'permission.ask',
      code,
      tool: dialogTool,
      input,
      expires_at: clock.wall() + permissionMs,
      ...(isOperators && { needs: 'operator' as const, rule: ruleWords(ruling) }),
    });
  }

  /** @returns false when it is no answer to what is asked here */
  answer(answer: PermissionAnswer): boolean {
    if (answer.code !== this.#code || this.#answer) return false;
    this.#answer = answer;
    return true;
  }

  /** It is not asked any more, and the dialog stands on. */
  close(): void {
    this.#end();
  }

  /** No dialog stands there any more: what became of an answer concerns nobody. */
  over(): void {
    this.#note = undefined;
  }

  /** The dialog is not there any more, and no key of ours did that. */
  withdraw(detail: string): void {
    const code = this.#end();
    if (code !== undefined) this.#options.report({ type: 'permission.withdrawn', code, detail });
  }

  /** The keys of the answer were pressed, or not. */
  pressed(what: Pressed): void {
    const verdict = this.#answer?.verdict;
    const code = this.#end();
    if (code === undefined) return;
    const { report } = this.#options;
    if (what !== 'done') {
      this.#note = what === 'gone' ? undefined : `${noteOf[what]} (${code}).`;
      return report({ type: 'permission.withdrawn', code, detail: detailOf[what] });
    }
    report({ type: 'permission.sent', code });
    report(
      verdict === 'deny'
        ? { type: 'permission.withdrawn', code, detail: '' }
        : { type: 'permission.ran', code },
    );
  }

  #end(): string | undefined {
    const code = this.#code;
    this.#code = undefined;
    this.#answer = undefined;
    return code;
  }
}

const detailOf: Record<Exclude<Pressed, 'done'>, string> = {
  changed: 'the dialog was another one by then, or gone, so nothing was chosen',
  unmoved: 'the marker in the terminal did not come to that option, so nothing was chosen',
  stands: 'the keys were pressed, and the dialog still stands there',
  gone: 'Claude Code ended before it',
};

const noteOf: Record<Exclude<Pressed, 'done' | 'gone'>, string> = {
  changed: 'The dialog had changed before the last answer was carried out, so nothing was chosen',
  unmoved: 'The last answer could not be carried out: the marker in the terminal did not come to that option',
  stands: 'The keys of the last answer were pressed, and the dialog still stands there',
};
