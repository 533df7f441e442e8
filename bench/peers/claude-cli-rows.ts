// C1 to C4: OpenClaw's own backend for Claude Code. Both sides are two gateways with two Telegrams and one binary.
import { compare, each, type Rounds } from '../harness/compare.ts';
import { type Goal, judge, type Row } from '../harness/row.ts';
import { claudeCliSide } from './claude-cli-side.ts';
import { type Conversation, conversations, type Turn } from './conversation.ts';
import { synthesisSide } from './synthesis-side.ts';

const against = 'claude-cli of OpenClaw';

interface Measured {
  goal: Goal;
  of(conversation: Conversation): number;
}

/** A column of both messages. */
function both(id: string, what: string, field: keyof Turn, rest: Partial<Goal>): Measured[] {
  return (['cold', 'warm'] as const).map((message) => ({
    goal: { id, what: `${what}, ${message}`, against, ...rest },
    of: (conversation) => conversation[message][field],
  }));
}

const measured: readonly Measured[] = [
  ...both('C1', 'until the model is asked', 'request', {
    atMost: 1.1,
    whyNotYet:
      'OpenClaw takes about as long until it asks a provider as claude-cli takes in all; on top come Claude Code’s terminal and, cold, its interactive start.',
  }),
  ...both('C2', 'until text is on the screen', 'first', {
    atMost: 0.5,
    whyNotYet: 'A cold first text waits for the interactive start of Claude Code.',
  }),
  ...both('C3', 'until all of it is', 'whole', {}),
  {
    goal: { id: 'C4', what: 'memory of a conversation: PSS', against, unit: 'MB' },
    of: ({ bytes }) => bytes / 1e6,
  },
];

export const claudeCliGoals: readonly Goal[] = measured.map(({ goal }) => goal);

export async function claudeCli(rounds: number): Promise<Row[]> {
  await using subject = await synthesisSide();
  await using reference = await claudeCliSide();
  const contenders = { subject: conversations(subject), reference: conversations(reference) };
  const seen: Rounds<Conversation> = await compare(contenders, { warmup: 1, counted: rounds });
  return measured.map(({ goal, of }) => judge(goal, each(seen, of)));
}
