// The bridge from its core outwards: SQLite journal, dispatcher, readers and HTTP door are the real ones, Claude is a
// script. It is fed by the same frame source as the reference hop. Without a folder the journal is in memory.
import { keepYoungSpace } from '../../src/base/process/young-space.ts';
import { MemoryJournal } from '../../src/bridge/journal/memory-journal.ts';
import { openJournal } from '../../src/bridge/journal/start/open-journal.ts';
import { SmallBridge } from '../../test/support/small-bridge.ts';
import { frameSource } from '../harness/frame-source.ts';
import { tellCost } from '../harness/tell-cost.ts';

const [dir] = process.argv.slice(2);
const journal = dir ? openJournal({ dir }).journal : new MemoryJournal();
/** As much as anybody may write and hold open: what is measured is what a message costs, and not how it is refused. */
const limits = { messagesPerMinute: 1_000_000, messageCharacters: 100_000 };
const bridge = await SmallBridge.start({ journal, limits, mostRequests: 10_000 });
const { agent, dispatcher } = bridge;
const answer = agent.onPrompt;

/** As in the hop: a message that ends with `stay` keeps its turn open for frames; any other is answered at once. */
agent.onPrompt = (prompt, session) => {
  // A test would look at them.
  agent.prompts.length = 0;
  if (!prompt.text.endsWith('stay')) return answer(prompt, session);
  agent.take(session.key, prompt.turn);
  agent.report(session.key, {
    type: 'message.delta',
    message: 'first',
    index: 0,
    text: 'ready',
    final: true,
  });
};

const frames = await frameSource((session, { index, text, acked }) => {
  const delta = { type: 'message.delta', message: 'second', index, text, final: false } as const;
  const taken = dispatcher.dispatch(session, delta);
  return acked && taken.ok && dispatcher.durable(taken.seq);
});
// As `up` does it.
keepYoungSpace();
console.log(JSON.stringify({ url: bridge.url, frames, token: bridge.token }));
await tellCost();
