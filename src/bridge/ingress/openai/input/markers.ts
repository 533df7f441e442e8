// Texts that OpenClaw puts around what people write; measured on 2026.9.6 unless said otherwise ("read in its source":
// never seen on the wire here). A marker counts only
// at its structural position (the readers of this folder decide which): people type these words, too.

/** Opens and closes the transient context message that OpenClaw rebuilds for every request. */
export const CONTEXT_BEGIN = '<<<BEGIN_OPENCLAW_INTERNAL_CONTEXT>>>';
export const CONTEXT_END = '<<<END_OPENCLAW_INTERNAL_CONTEXT>>>';

/** Ends the label of every block that OpenClaw itself writes. */
export const CONTEXT_MARK = '⟦openclaw:ctx⟧';

/** Label of the block that names who wrote a channel message. */
export const SENDER_LABEL = `Conversation info: ${CONTEXT_MARK}`;

/**
 * Head of a text that holds messages passed on together, each below such a line; behind the first a line may be of the
 * messages themselves. The context says nothing of them.
 */
export const FORWARDED_LINE = /^\[Forwarded from [^\n]+\]\n/;

/** Labels of the blocks in front of a channel message up to about 2026.5, each at most once. Read in its source. */
export const OLD_LABELS: readonly string[] = [
  'Conversation info (untrusted metadata):',
  'Sender (untrusted metadata):',
  'Thread starter (untrusted, for context):',
  'Replied message (untrusted, for context):',
  'Reply target of current user message (untrusted, for context):',
  'Forwarded message context (untrusted metadata):',
  'Chat history since last reply (untrusted, for context):',
];

/** Head of a prompt that also carries an older message which got no answer. The second is from spring 2026, read in its source. */
export const QUEUED_HEADS: readonly string[] = [
  '[Queued user message from a previous active turn; preserved as context only. Continue with the active prompt below.]\n',
  '[Queued user message that arrived while the previous turn was still active]\n',
];

const CONTINUE_TASK =
  'Continue the current task from the existing transcript, preserving completed work. If an action was interrupted, inspect its state before deciding whether to retry it. Do not restart the task or repeat completed actions.';

/**
 * Prompts by which OpenClaw's runner goes on with a turn that failed or showed nothing. Never a person's. The first and
 * the one about "the previous attempt" were measured, the others read in its source.
 */
export const RUNNER_PROMPTS: readonly string[] = [
  CONTINUE_TASK,
  `${CONTINUE_TASK} If a tool failed, say so; never claim completion or success.`,
  'The previous attempt did not produce a user-visible answer. Continue from the current state and produce the visible answer now. Do not restart from scratch.',
  'The previous assistant turn recorded reasoning but did not produce a user-visible answer. Continue from that partial turn and produce the visible answer now. Do not restate the reasoning or restart from scratch.',
  'The previous assistant turn completed its tool calls but did not produce a user-visible answer. Continue from the current transcript and produce the final user-visible answer now. Do not repeat completed tool calls or restart from scratch. Tools are unavailable in this step: it is a text-only pass, so reply with plain text and do not attempt any tool call.',
  'The previous assistant turn only described the plan. Do not restate the plan. Act now: take the first concrete tool action you can. If a real blocker prevents action, reply with the exact blocker in one sentence.',
];

/** Head of the note that a failed turn leaves in the transcript. */
export const FAILED_NOTE = 'This turn ended before a reply';

/** Head of the first user message after a compaction. */
export const SUMMARY_HEAD =
  'The conversation history before this point was compacted into the following summary:';

/** Heartbeat prompts; the second is from before 2026.9, read in its source. */
export const HEARTBEAT_HEADS: readonly string[] = [
  'Follow the heartbeat monitor scratch context',
  'Read HEARTBEAT.md if it exists',
];

/** Head of what a gateway says for a turn that its predecessor did not end (2026.9.6, seen on the wire). */
export const RESTART_HEAD = '[System] Your previous turn was interrupted by a gateway restart';

/** Heads of what OpenClaw tells the model in nobody's name. Read in its source. */
export const NOTE_HEADS: readonly string[] = [
  'A scheduled reminder has been triggered. The reminder content is:',
  'An async command you ran earlier ',
  'Run the following periodic tasks (only those due',
  '[Inter-session message] ',
];

/** What stands for such a text in every later request. Read in its source. */
export const NOTE_TEXTS: readonly string[] = [
  '[OpenClaw heartbeat poll]',
  '[OpenClaw exec completion]',
  '[OpenClaw exec completion]\nDisable automatic completion turns with tools.exec.notifyOnExit=false; check per-agent overrides. Background exec and process poll remain available.',
  '[OpenClaw cron wake]',
  '[OpenClaw session event]',
];

/** Read in its source. */
export const MEMORY_FLUSH_HEAD = 'Pre-compaction memory flush';
export const SUBAGENT_TASK_HEAD = '[Subagent Context] You are running as a subagent';
/** Opens both the message and, unforgeably, the internal context that comes with it. */
export const COMPLETION_HEAD = 'A background task completed.';

/** Contents of tool results that OpenClaw wrote itself. */
export const MISSING_RESULT = '[openclaw] missing tool result in session history';
export const SKIPPED_RESULT = 'Skipped to process an incoming message.';

/** System prompts of OpenClaw's calls that belong to no conversation. */
export const COMPACTION_SYSTEM = 'You are a context summarization assistant';
export const TITLE_SYSTEM = 'Generate a concise session title';
export const STICKER_SYSTEM = 'Describe this sticker image in ';

/** In the system prompt of every agent request, near its start. */
export const AGENT_SYSTEM = 'running inside OpenClaw';
