// What chat users read when a turn ends without an answer. Each text says what happened, what was not lost and what to
// do next. It is sent as an ordinary answer with finish reason `stop`, so that the hub shows it and repeats nothing.

import type { FailureCode } from '../../protocol/events/failures.ts';
import { commandRef } from '../command-ref.ts';
import { panicTime } from '../state/panic.ts';

/** What is known beyond the code; every part may be missing. Foreign text is shortened and made harmless. */
export interface ProblemDetails {
  /** Claude Code's own words: an error, the end of its screen, an exit code. Of an interruption, who or what it was. */
  detail?: string;
  /** Session key, for the commands that are suggested. */
  session?: string;
  /** The folder Claude Code was to work in. */
  folder?: string;
  /** Another one, which the configuration names by now: a restart of the session takes it there. */
  elsewhere?: string;
  /** How long was waited, in seconds. */
  seconds?: number;
  /** How many messages the queue holds. */
  limit?: number;
  /** When everything was stopped, epoch ms. */
  panic?: number;
}

/** `more`: the place that knows more of it. `again`: once that is done, the message has to be sent again. */
type Words = (known: Known) => { happened: string; kept: string; next: string; more?: string; again?: true };

interface Known {
  /** `synthesis attach <session>`, ready to copy. */
  attach: string;
  /** The same of `inspect`. */
  inspect: string;
  folder: string;
  /** What mends a folder, a sentence. @param here what does so where it is */
  move(here: string): string;
  /** ` for 30 s`, or ''. */
  waited: string;
  /** ` (`the operator`)`, or ''. */
  whose: string;
  queue: string;
  /** ` at 2026-11-22 03:12 UTC`, or ''. */
  when: string;
}

const safe = 'Your message is stored and the conversation so far is intact.';
const unseen = 'Your message is stored; Claude has not seen it, and the conversation so far is intact.';
const again = true;
const folderPlace = '`synthesis doctor` names the setting.';

const texts: Record<FailureCode, Words> = {
  claude_not_found: () => ({
    happened: 'Claude Code was not found on the machine that runs the bridge.',
    kept: unseen,
    next: 'Install it there, or name it with `synthesis config set claude <path>`.',
    more: '`synthesis doctor` checks it.',
    again,
  }),
  claude_too_old: () => ({
    happened: 'The installed Claude Code is too old for the bridge.',
    kept: unseen,
    next: 'Run `claude update` on that machine.',
    more: '`synthesis doctor` shows the versions that work.',
    again,
  }),
  claude_signed_out: () => ({
    happened: 'Claude Code is not signed in.',
    kept: unseen,
    next: 'Run `claude` on that machine once and sign in.',
    again,
  }),
  folder_unusable: ({ move }) => ({
    happened: 'Claude Code cannot work in its folder.',
    kept: unseen,
    next: move('Make that folder on the machine that runs the bridge'),
    more: folderPlace,
    again,
  }),
  folder_untrusted: ({ folder, move }) => ({
    happened: `Claude Code has not been told to trust its working folder${folder}.`,
    kept: unseen,
    next: move('Start `claude` there once and accept the folder'),
    more: folderPlace,
    again,
  }),
  start_dialog: ({ attach }) => ({
    happened: 'Claude Code shows a question at its start that the bridge does not answer on its own.',
    kept: unseen,
    next: `Look at it with ${attach} and answer it there.`,
    again,
  }),
  prompt_unknown: ({ attach }) => ({
    happened: 'This release of Claude Code draws its prompt in a way that the bridge does not know.',
    kept: unseen,
    next: `Install the release that is proven with \`claude install\` (\`synthesis doctor\` names it), or update synthesis. ${attach} shows what it draws.`,
    again,
  }),
  sandbox_unavailable: () => ({
    happened: 'This conversation requires a sandbox for shell commands, and there is none.',
    kept: unseen,
    next: 'Install bubblewrap and socat on the machine that runs the bridge, or choose `on` or `off` with `synthesis config set sandbox <mode>`.',
    more: '`synthesis doctor` checks it.',
    again,
  }),
  contain_unavailable: () => ({
    happened: 'This conversation requires a contained Claude Code, and it cannot be contained.',
    kept: unseen,
    next: 'Set that right on the machine that runs the bridge, or choose `on` or `off` with `synthesis config set contain <mode>`.',
    more: '`synthesis doctor` checks it.',
    again,
  }),
  start_timeout: ({ attach, waited }) => ({
    happened: `Claude Code started but was not ready in time${waited}.`,
    kept: unseen,
    next: `Send your message again to try once more; ${attach} shows where it hangs.`,
  }),
  start_exited: ({ inspect }) => ({
    happened: 'Claude Code ended right after its start.',
    kept: unseen,
    next: `${inspect} on the machine that runs the bridge shows what it said.`,
    again,
  }),
  exited: () => ({
    happened: 'Claude Code ended while it worked on your message.',
    kept: 'What it wrote before is above, and its conversation is kept on disk.',
    next: 'Send your message again, or "continue": Claude resumes the same conversation.',
  }),
  rate_limited: () => ({
    happened: 'The usage limit of the Claude account is reached.',
    kept: safe,
    next: 'Wait until the limit resets, then send your message again.',
  }),
  provider_error: () => ({
    happened: 'The service behind Claude Code answered with an error.',
    kept: safe,
    next: 'This usually passes: send your message again in a minute.',
  }),
  model_refused: () => ({
    happened: "The model's safety rules stopped this answer.",
    kept: safe,
    next: 'The same message is likely to be stopped again: say it in other words, or ask for something else.',
  }),
  output_limit: () => ({
    happened: 'The answer became too long for the model and was cut off.',
    kept: 'What Claude wrote before is above, and the conversation is intact.',
    next: 'Send "continue" for the rest, or ask for a shorter answer.',
  }),
  auth_failed: () => ({
    happened: 'Claude Code could not sign in to its service.',
    kept: safe,
    next: "Run `claude` on the bridge's machine and sign in again.",
    again,
  }),
  model_not_found: () => ({
    happened: 'The model that this session is set to does not exist, or the account may not use it.',
    kept: safe,
    next: "Change the model in the bridge's configuration or with `/model` in Claude Code.",
    again,
  }),
  context_too_long: ({ attach }) => ({
    happened: 'The conversation has become too long for the model.',
    kept: 'The whole conversation is still on disk.',
    next: `Run \`/compact\` through ${attach}, or send \`/new\` to start afresh.`,
  }),
  prompt_blocked: () => ({
    happened: "A hook on the bridge's machine refused this message.",
    kept: unseen,
    next: 'Say it in other words, or change that `UserPromptSubmit` hook in the settings of Claude Code there.',
    again,
  }),
  hooks_off: () => ({
    happened: "Claude Code's hooks do not reach the bridge, which hears nothing of what Claude says.",
    kept: 'Your message is stored. If Claude is at work on it, its terminal alone shows the answer.',
    next: 'Switch the hooks on again in the settings of Claude Code on that machine.',
    more: '`synthesis doctor` names the setting and its file.',
    again,
  }),
  untold_question: ({ attach }) => ({
    happened:
      'Claude Code shows a dialog in its terminal that cannot be answered from here, or that nobody answered in time.',
    kept: 'What Claude wrote before is above, and Claude goes on once it is answered.',
    next: `Answer it in its terminal: ${attach}.`,
  }),
  prompt_hidden: ({ attach }) => ({
    happened: "Something else stands in the place of Claude Code's prompt.",
    kept: unseen,
    next: `Close it in its terminal: ${attach}.`,
    again,
  }),
  stalled: () => ({
    happened: 'Claude Code stands still: it draws nothing and does not react.',
    kept: 'What Claude wrote before is above, and the conversation is intact. If it goes on, what it says reaches you.',
    next: 'Send your message again. If Claude Code has not moved by then, it is started anew.',
  }),
  silent: ({ attach, waited }) => ({
    happened: `Claude Code gave no sign of life${waited}, so the bridge stopped waiting.`,
    kept: safe,
    next: `Send your message again; ${attach} shows what it is doing.`,
  }),
  lost_track: () => ({
    happened: 'The bridge lost track of what Claude Code does and restarts it.',
    kept: 'What Claude wrote before is above, and the conversation so far is intact.',
    next: 'Send your message again.',
    more: 'On the machine that runs the bridge, `synthesis logs --json` shows what led to this (`session.broken`).',
  }),
  tasks_lost: () => ({
    happened: 'Claude Code stopped, and its background work stopped with it.',
    kept: 'That work is not finished. The conversation so far is intact.',
    next: 'Ask Claude how it stands.',
  }),
  interrupted: ({ whose }) => ({
    happened: `The answer was interrupted${whose}.`,
    kept: 'What Claude wrote before is above, and the conversation is intact.',
    next: 'Write what you want instead, or "continue".',
  }),
  empty_answer: () => ({
    happened: 'Claude finished without writing an answer.',
    kept: 'What it did is part of the conversation.',
    next: 'Ask for the result, e.g. "What did you find?".',
  }),
  delivery_failed: ({ attach }) => ({
    happened: 'Your message could not be handed to Claude Code.',
    kept: safe,
    next: `Send it again; if it fails once more, ${attach} shows why.`,
  }),
  expired: ({ waited }) => ({
    happened: `The time allowed for this answer is over${waited}.`,
    kept: 'What Claude wrote before is above, and the conversation is intact.',
    next: 'Send "continue" to go on.',
  }),
  overflow: ({ queue }) => ({
    happened: `Too many messages were waiting in this conversation${queue}, so the oldest one was set aside unanswered.`,
    kept: 'It is stored, and the newer messages are still in line.',
    next: 'Wait for the answers to those, then send it again if you still need it.',
  }),
  bridge_restarted: () => ({
    happened: 'The bridge was restarted while Claude worked on your message.',
    kept: 'Your message and what was written so far are stored, and Claude keeps the conversation.',
    next: 'Send "continue", or your message again.',
  }),
  machine_lost: () => ({
    happened: 'The machine on which Claude worked on your message lost touch with the others.',
    kept: 'What was said before is kept; what Claude did for this message may have taken effect, and it may not know of it any more.',
    next: 'Look how things stand, and send your message again.',
  }),
  shutting_down: () => ({
    happened: 'The bridge is being shut down.',
    kept: safe,
    next: 'Send your message again once it is back.',
  }),
  disk_failed: () => ({
    happened: "The disk of the bridge's machine failed, so the bridge had to stop.",
    kept: 'What is above may not have been stored; Claude keeps its own copy of the conversation.',
    next: 'Once the bridge is back, ask Claude how it stands before you send your message again.',
  }),
  panic: ({ when }) => ({
    happened: `The operator stopped everything${when}.`,
    kept: 'What Claude wrote before is above, and the conversation is intact.',
    next: 'Nothing goes on until the operator says so; then send "continue", or what you want instead.',
  }),
  removed: () => ({
    happened: 'The operator removed this conversation.',
    kept: 'What Claude wrote before is above.',
    next: 'Your next message begins a new one.',
  }),
  moved: () => ({
    happened: 'Another machine goes on with this conversation.',
    kept: 'What was said before is kept there; your message may have come too late for it.',
    next: 'Write again: if Claude has your message there, its answer comes first.',
  }),
};

/** Here it is the bridge that says something. */
const ours: ReadonlySet<FailureCode> = new Set([
  'folder_unusable',
  'prompt_unknown',
  'sandbox_unavailable',
  'contain_unavailable',
  'hooks_off',
  'lost_track',
  'tasks_lost',
]);

/** Who or what it was, and two where Claude Code's own words are advice for its terminal. */
const unquoted: ReadonlySet<FailureCode> = new Set(['interrupted', 'model_refused', 'output_limit']);

/** The sentences for a chat, in markdown, without trailing newline. */
export function problemText(code: FailureCode, details: ProblemDetails = {}): string {
  const { happened, kept, next, more, again } = texts[code](known(details));
  const said = details.detail === undefined || unquoted.has(code) ? '' : quote(details.detail);
  const told = said === '' ? '' : ` ${ours.has(code) ? '' : 'It said: '}${said}`;
  const rest = [kept, next, more, again && 'Then send your message again.'];
  return `⚠️ ${happened}${told}\n\n${rest.filter(Boolean).join(' ')}`;
}

/** What mends it, for the operator who looks already: the same as a chat is told. */
export const remedyText = (code: FailureCode, details: ProblemDetails = {}): string =>
  texts[code](known(details)).next;

function known({ detail, session, folder, elsewhere, seconds, limit, panic }: ProblemDetails): Known {
  const argument = session === undefined ? '' : ` ${commandRef(session)}`;
  return {
    attach: `\`synthesis attach${argument} --terminal\``,
    inspect: `\`synthesis inspect${argument || ' <session>'}\``,
    move: (here) =>
      elsewhere === undefined
        ? `${here}, or choose another with \`synthesis config set cwd <folder>\`.`
        : `The configuration names ${quote(elsewhere)} by now: \`synthesis restart${argument || ' <session>'}\` takes this conversation there.`,
    folder: folder === undefined ? '' : ` (${quote(folder)})`,
    waited: seconds === undefined ? '' : ` (${Math.round(seconds)} s)`,
    whose: detail === undefined || quote(detail) === '' ? '' : ` (${quote(detail)})`,
    queue: limit === undefined ? '' : ` (the limit is ${limit})`,
    when: panic === undefined ? '' : ` at ${panicTime(panic)}`,
  };
}

/** As inline code on one line: no markdown, mention or escape sequence of a foreign text takes effect. */
export function quote(text: string): string {
  const line = oneLine(text, 300);
  return line === '' ? '' : `\`${line}\``;
}

function oneLine(text: string, limit: number): string {
  const line = text
    .replace(/\x1b\[[0-9;?]*[ -/]*[@-~]/g, '')
    .replace(/[\p{Cc}\p{Cf}\u2028\u2029\s]+/gu, ' ')
    .replaceAll('`', "'")
    .trim();
  return line.length > limit ? `${line.slice(0, limit).toWellFormed()}…` : line;
}
