import type { Prompt } from '../../app/ports.ts';
import type { ClaudeRun } from '../claude-run.ts';
import { channelIsLost, repairChannel, untilBackOrDead } from './channel-repair.ts';
import { type Delivered, endedWithIt, gone, type Ticket } from './deliver-typed.ts';

/** From the frame to `inbound_written`: long enough for a channel to reconnect (1, 2, 4, 4 … s) or to be started again. */
const writtenMs = 20_000;

/** A prompt through the channel; taken when the channel wrote it to Claude's standard input, or Claude Code says so. */
export async function deliverByChannel(
  run: ClaudeRun,
  prompt: Prompt,
  key: string,
  ticket: Ticket,
): Promise<Delivered> {
  await run.watch.until(
    () => gone(run) || ticket.cancelled || (!run.turns.busy && run.desk.open === 0),
    run.limits.busyMs,
  );
  if (gone(run)) return { kind: 'gone' };
  if (!ticket.cancelled) await run.handing(prompt.turn);
  if (gone(run)) return { kind: 'gone' };
  if (ticket.cancelled) return { kind: 'cancelled' };
  ticket.sent = true;
  run.expected = { turn: prompt.turn, text: prompt.text, road: 'channel' };
  return sendByChannel(run, prompt, key);
}

/** Sends a prompt that `run` expects. One that a bridge before had sent is sent again: the channel knows what it has seen. */
export async function sendByChannel(run: ClaudeRun, prompt: Prompt, key: string): Promise<Delivered> {
  run.link.deliver({
    type: 'inbound_message',
    request_id: prompt.turn,
    content: prompt.text,
    meta: metaOf(prompt, key, run),
  });
  await untilWritten(run, prompt.turn);
  // A channel that comes back later must not be given it once more.
  run.link.forget(prompt.turn);
  if (run.written.delete(prompt.turn) || run.turns.has(prompt.turn)) {
    run.taken(prompt.turn);
    return { kind: 'taken' };
  }
  run.expected = undefined;
  if (run.exit) return endedWithIt(run.exit);
  if (gone(run)) return { kind: 'gone' };
  // Connected and silent: it may have been written. Never connected: certainly not.
  const seen = run.link.connected;
  return { kind: 'failed', detail: 'The channel did not confirm the message.', seen };
}

/** The message is sent again by itself when the channel comes back, unless Claude Code has told that it has it. */
async function untilWritten(run: ClaudeRun, turn: string): Promise<void> {
  const over = () => gone(run) || run.written.has(turn) || run.turns.has(turn) || channelIsLost(run);
  const deadline = run.clock.now() + writtenMs;
  while (!over() && run.clock.now() < deadline) {
    await run.watch.until(() => over() || !run.link.connected, deadline - run.clock.now());
    await untilBackOrDead(run, over);
    await repairChannel(run);
  }
}

function metaOf(prompt: Prompt, key: string, run: ClaudeRun): Record<string, string> {
  return {
    chat_id: key,
    ...prompt.meta,
    message_id: prompt.turn,
    user: prompt.writer,
    ...(prompt.userId !== undefined && { user_id: prompt.userId }),
    ts: prompt.meta.ts ?? new Date(run.clock.wall()).toISOString(),
  };
}
