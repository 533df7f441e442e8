// A prompt by keyboard. Never into a dialog, sent with a key that none takes for an answer, never while a turn runs (Claude Code's own queue
// cannot be followed), and believed only when UserPromptSubmit says the same text.
import { newId } from '../../../base/ids.ts';
import type { FailureCode } from '../../../protocol/events/failures.ts';
import type { ClaudeRun } from '../claude-run.ts';
import { exitWords } from '../screen/exit-reading.ts';
import { screenTail, titleState } from '../screen/screen-reader.ts';
import type { TerminalExit } from '../terminal-port.ts';
import { emptyBox, isOurs, pictureMs } from './empty-box.ts';
import type { Obstacle } from './held-message.ts';
import { fillThroughEditor } from './through-editor.ts';
import type { TypePlan } from './typist.ts';
import { standsStill, untilDrawn } from './until-drawn.ts';
import { untilAnswered, untilOpen } from './until-open.ts';

export type Delivered =
  | { kind: 'taken' }
  /** Interrupted before Enter: Claude has not seen it. `stuck` = the text may come yet, in front of the next one. */
  | { kind: 'cancelled'; stuck?: true }
  /** The process ended or is being ended. */
  | { kind: 'gone' }
  | Held
  /**
   * `seen` = it cannot be ruled out that Claude saw it. `stuck` = the prompt box would not take the next one either; with
   * `long` a second try would take too long. `ended` = the process did, with the text.
   */
  | {
      kind: 'failed';
      detail: string;
      seen: boolean;
      stuck?: 'short' | 'long';
      ended?: true;
      /** Why, where another try would fare no better. */
      code?: FailureCode;
    };

/** Claude has not seen it, and cannot be given it before a person has done something. */
export interface Held {
  kind: 'held';
  code: FailureCode;
  detail: string;
  obstacle: Obstacle;
}

/** Between the first of several pastes that is drawn and Enter, ms; 0 to 200 all worked when measured. */
const beforeEnterMs = 40;
/** Hardcoded in Claude Code: it stops the turn whatever the user's bindings are. */
const interruptKey = '\x03';
/** A second one within about a second ends Claude Code, whatever stands in the box (measured on 2.1.332), ms. */
const interruptAgainMs = 1500;
/** How long the box may take to show text, ms. */
const drawMs = 2000;
/** How long it may take to come back, ms: what took its place may be a dialog, which is believed after 3 s. */
const backMs = 4000;
/** How long it may take to show what a bridge before typed last, ms. */
export const pasteMs = 500;

/** One hand-over. `sent` tells whether it can still be called off. */
export interface Ticket {
  readonly turn: string;
  cancelled: boolean;
  sent: boolean;
}

/** `entered`: the box took it, with something else in it. */
type Attempt = Delivered | { kind: 'again'; detail: string; entered?: true };

/** Hands a prompt over; tries twice when Claude certainly has not seen it, a long one only behind a turn of others. */
export async function deliverTyped(run: ClaudeRun, ticket: Ticket, plan: TypePlan): Promise<Delivered> {
  let detail = '';
  let isStuck = true;
  for (let attempt = 1; attempt <= 2; attempt += 1) {
    const patience = attempt === 1 || run.turns.busy ? run.limits.busyMs : backMs;
    const result = await attemptOnce(run, ticket, plan, patience);
    if (result.kind !== 'again') return result;
    detail = result.detail;
    isStuck = !result.entered;
    run.log.warn('prompt not taken', { turn: ticket.turn, attempt, detail });
    if ((plan.long || isUnread(run)) && !run.turns.busy) break;
  }
  if (run.turns.busy || !isStuck) return { kind: 'failed', detail, seen: false };
  const isLong = plan.long && !isUnread(run);
  return {
    kind: 'failed',
    detail: isLong ? tooLong(plan, detail) : detail,
    seen: false,
    stuck: isLong ? 'long' : 'short',
  };
}

/** A box is drawn that has not read its keys. (Behind an editor nothing is drawn either.) */
const isUnread = (run: ClaudeRun): boolean => standsStill(run) && run.view.box !== undefined;

const tooLong = ({ expected }: TypePlan, detail: string): string =>
  `A text of ${expected.length} characters in ${expected.split('\n').length} lines was not taken: ${detail}. Send it in parts, or as a file.`;

async function attemptOnce(
  run: ClaudeRun,
  ticket: Ticket,
  plan: TypePlan,
  patience: number,
): Promise<Attempt> {
  const over = () => gone(run) || ticket.cancelled;
  await untilOpen(run, over, patience);
  if (gone(run)) return { kind: 'gone' };
  if (ticket.cancelled) return { kind: 'cancelled' };
  if (run.stalled) return { kind: 'again', detail: 'Claude Code stands still' };
  if (run.blocked || run.promptHidden || (!run.idle && patience > backMs)) return notIdle(run);
  if (!run.idle) return { kind: 'again', detail: 'the prompt box did not come back' };
  const { submit } = await run.keys();
  if (submit === undefined) return unbound(run);
  if (run.covered === ticket.turn && !(await isUncovered(run))) return unknown(run);
  if (!(await emptyBox(run))) return { kind: 'again', detail: 'the prompt box could not be emptied' };
  run.lastTyped = plan.expected;
  run.fate = undefined;
  // Known on disk by the time the box has drawn it: before Enter.
  const [drawn] = await Promise.all([fillBox(run, plan), over() ? undefined : run.handing(ticket.turn)]);
  if (drawn && plan.pieces > 1) await run.watch.pause(beforeEnterMs);
  // A picture that was asked for is drawn from a blank screen on: for a moment no box is there.
  if (drawn) await run.watch.until(() => over() || Boolean(run.view.box), pictureMs);
  if (gone(run)) return { kind: 'gone' };
  if (ticket.cancelled) {
    const isLeft = standsStill(run) || !(await emptyBox(run));
    return { kind: 'cancelled', ...(isLeft && !isTaken(run) && { stuck: true }) };
  }
  if (!run.view.box || isTaken(run)) {
    return { kind: 'again', detail: 'the text did not appear in the prompt box' };
  }
  ticket.sent = true;
  run.expected = { turn: ticket.turn, text: plan.expected, road: 'keys' };
  run.worked = false;
  pressSubmit(run, submit, ticket.turn);
  const result = await outcome(run, ticket);
  ticket.sent = result.kind !== 'again';
  return result;
}

/** A turn of somebody else began, or a question of one that runs beside. */
const isTaken = (run: ClaudeRun): boolean => run.turns.busy || run.desk.open > 0;

/** A bridge before had pressed Enter, and `run` expects the prompt: what became of it. */
export async function resumeTyped(run: ClaudeRun, ticket: Ticket, plan: TypePlan): Promise<Delivered> {
  const result = await outcome(run, ticket);
  ticket.sent = result.kind !== 'again';
  return result.kind === 'again' ? deliverTyped(run, ticket, plan) : result;
}

function unbound(run: ClaudeRun): Held {
  const look = async () => (await run.keys()).submit !== undefined;
  return { kind: 'held', code: 'delivery_failed', detail: unboundWords, obstacle: { run, look } };
}

const unboundWords =
  "No key of Claude Code's prompt sends a message: keybindings.json binds `chat:sendNow`, `chat:queueSubmit` and `chat:submit` to nothing that a terminal can send. Bind one of them again.";

/** The host tells the next bridge that the prompt of this turn went in. */
const pressSubmit = (run: ClaudeRun, key: string, turn: string): void =>
  run.terminal.write(key, `${turn}.${newId('e')}`);

/** @param typed `id` of the newest key that a host tells of */
export const isSubmitOf = (typed: string | undefined, turn: string): boolean =>
  typed?.startsWith(`${turn}.`) === true;

/**
 * Not called off when the message is: what is not drawn cannot be deleted, and would come in front of the next one.
 *
 * @returns true when the box shows text
 */
async function fillBox(run: ClaudeRun, plan: TypePlan): Promise<boolean> {
  const { editorDir } = run;
  if (plan.long && editorDir !== undefined) {
    if (await fillThroughEditor(run, editorDir, `${plan.expected} `)) return true;
    // Without a box, another editor may stand there: nothing is typed into it.
    // And an empty one that is older than the key says nothing about what there is now.
    if (run.view.box === undefined || standsStill(run)) return false;
  }
  run.terminal.write(plan.keys);
  const shown = () => gone(run) || Boolean(run.view.box);
  return (await untilDrawn(run, shown, drawMs)) === true;
}

const lines = (...parts: (string | undefined)[]): string => parts.filter(Boolean).join('\n');

function notIdle(run: ClaudeRun): Attempt {
  const tail = screenTail(run.terminal.rows(), 8);
  const obstacle = { run, isGone: () => run.idle };
  if (run.blocked)
    return { kind: 'held', code: 'untold_question', detail: lines(run.dialogs.words, tail), obstacle };
  if (run.promptHidden) return { kind: 'held', code: 'prompt_hidden', detail: tail, obstacle };
  const detail = lines('Claude Code is busy with something else.', tail);
  return { kind: 'failed', detail, seen: false };
}

async function outcome(run: ClaudeRun, ticket: Ticket): Promise<Attempt> {
  const { turn } = ticket;
  const { takenMs } = run.limits;
  const wants = () => /press Enter to send/.test(run.terminal.rows().slice(-8).join('\n'));
  const told = () => gone(run) || run.fate !== undefined;
  const isCovered = () => !told() && run.view.box === undefined && !standsStill(run);
  const first = await untilDrawn(run, () => told() || wants() || run.blocked, takenMs / 2);
  if (run.fate === undefined) await run.lookAtHooks();
  if (run.fate === undefined && run.hooksOff !== undefined) return unheard(run);
  if (isCovered()) return covered(run, ticket, told);
  // Before the last look: a release without the chord is sent to with Enter.
  const { submit } = await run.keys();
  // The key was lost, or only showed a notice: our text still stands in the box and nothing else does.
  const box = run.view.box ?? '';
  if (!standsStill(run)) {
    if ((!first || (wants() && run.fate === undefined)) && run.idle && box !== '' && isOurs(run, box)) {
      if (submit !== undefined) pressSubmit(run, submit, turn);
    }
    await untilDrawn(run, () => told() || run.blocked, takenMs / (first ? 1 : 2));
    if (isCovered()) return covered(run, ticket, told);
  }
  return settled(run, turn);
}

function settled(run: ClaudeRun, turn: string): Attempt {
  if (run.fate === 'ours') return { kind: 'taken' };
  run.expected = undefined;
  if (run.exit) return endedWithIt(run.exit);
  if (run.fate === 'garbled')
    return { kind: 'again', detail: 'the text was mixed with other keys', entered: true };
  if (run.fate === 'foreign')
    return { kind: 'again', detail: 'another prompt was entered at the same time', entered: true };
  return untold(run, turn);
}

/**
 * A dialog opened in the very moment of the key that sends, and has it: the text waits in the box behind. Once it is
 * answered the key is pressed again. Until then the message can be called off.
 */
async function covered(run: ClaudeRun, ticket: Ticket, told: () => boolean): Promise<Attempt> {
  const { turn } = ticket;
  ticket.sent = false;
  await untilAnswered(run, () => told() || ticket.cancelled, backMs);
  if (told()) return outcome(run, ticket);
  if (run.blocked) {
    run.expected = undefined;
    if (ticket.cancelled) return { kind: 'cancelled' };
    run.covered = turn;
    return notIdle(run);
  }
  const isBack = await isUncovered(run);
  if (ticket.cancelled) {
    run.expected = undefined;
    if (isBack) await emptyBox(run);
    return { kind: 'cancelled' };
  }
  const { submit } = await run.keys();
  if (told() || !isBack || !run.idle || submit === undefined) return settled(run, turn);
  ticket.sent = true;
  pressSubmit(run, submit, turn);
  return outcome(run, ticket);
}

/** The text that a dialog covered stands in the box again. */
async function isUncovered(run: ClaudeRun): Promise<boolean> {
  run.covered = undefined;
  await run.watch.until(() => gone(run) || Boolean(run.view.box), pictureMs);
  const { box } = run.view;
  return box !== undefined && box !== '' && isOurs(run, box);
}

/** Enter was pressed, and nobody hears what became of it. */
function unheard(run: ClaudeRun): Delivered & { kind: 'failed' } {
  run.expected = undefined;
  return { kind: 'failed', detail: run.hooksOff ?? '', seen: true, code: 'hooks_off' };
}

/** What Claude would say to it would reach nobody. */
export function hooksAreOff(run: ClaudeRun, detail: string): Held {
  return {
    kind: 'held',
    code: 'hooks_off',
    detail,
    obstacle: { run, isGone: () => run.hooksOff === undefined },
  };
}

/** Whether Claude Code had read it by then nobody knows. */
export const endedWithIt = (exit: TerminalExit): Delivered & { kind: 'failed' } => ({
  kind: 'failed',
  detail: `Claude Code ended (${exitWords(exit)}).`,
  seen: true,
  ended: true,
});

/** No hook said anything: the screen decides what may be done. */
function untold(run: ClaudeRun, turn: string): Attempt {
  const { box } = run.view;
  if (run.worked && !run.idle) {
    run.taken(turn);
    return { kind: 'taken' };
  }
  // An Enter that waits may be read yet.
  if (box && isOurs(run, box) && !standsStill(run))
    return { kind: 'again', detail: 'Claude Code did not take the text' };
  return unknown(run);
}

function unknown(run: ClaudeRun): Attempt {
  const tail = screenTail(run.terminal.rows(), 6);
  return {
    kind: 'failed',
    detail: `It is not known whether Claude Code took the text.\n${tail}`,
    seen: true,
  };
}

export const gone = (run: Pick<ClaudeRun, 'exit' | 'stopping'>): boolean =>
  run.exit !== undefined || run.stopping !== undefined;

/** Interrupts the running turn as a person would. @returns true when Claude Code is idle afterwards */
export async function pressEscape(run: ClaudeRun): Promise<boolean> {
  // A turn that has just been taken shows its work a moment later.
  await run.watch.until(() => gone(run) || !run.turns.busy || run.worked, 300);
  const { cancel = interruptKey } = await run.keys();
  const isInterrupt = cancel === interruptKey;
  if (isInterrupt) await untilInterruptible(run);
  const attempts = isInterrupt ? 1 : 3;
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    if (gone(run) || !run.turns.busy) return true;
    // Twice on an idle prompt it would open the rewind dialog: not behind one that still waits.
    const { drawn } = run;
    if (!standsStill(run)) run.terminal.write(cancel);
    const isOver = () => gone(run) || !run.turns.busy || (run.drawn !== drawn && interruptedNow(run));
    // 21–34 ms measured from Esc to the idle title.
    if (await untilDrawn(run, isOver, 2000)) return true;
  }
  return false;
}

/** Where no other key stops a turn, also one that follows right behind. */
async function untilInterruptible(run: ClaudeRun): Promise<void> {
  const left = (run.interruptedAt ?? -interruptAgainMs) + interruptAgainMs - run.clock.now();
  if (left > 0) await run.watch.pause(left);
  run.interruptedAt = run.clock.now();
}

/** No hook tells of an Esc. Before the first token Claude Code puts the prompt back into the box. */
function interruptedNow(run: ClaudeRun): boolean {
  const { box, interrupted } = run.view;
  // While agents work the title says so whatever the main thread does.
  const isAtWork = titleState(run.terminal.title) === 'working' && run.turns.agents === 0;
  if (box === undefined || isAtWork) return false;
  return run.worked || interrupted || box !== '';
}
