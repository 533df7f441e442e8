// The bridge from its core outwards, as in core-bridge.ts, in a process that counts what it does: bytes that are allocated,
// rows, transactions, syncs, and writes to a socket. Nothing is collected meanwhile, and nothing is optimised (see core-counts.ts).
import fs from 'node:fs';
import { ServerResponse } from 'node:http';
import { syncBuiltinESMExports } from 'node:module';
import { DatabaseSync } from 'node:sqlite';
import { setImmediate } from 'node:timers/promises';
import { answerLines } from '../harness/heap.ts';

const done = { syncs: 0, transactions: 0, writes: 0 };

const { fdatasync } = fs;
Object.assign(fs, {
  fdatasync: (fd: number, then: fs.NoParamCallback) => {
    done.syncs += 1;
    fdatasync(fd, then);
  },
});
syncBuiltinESMExports();
const { exec } = DatabaseSync.prototype;
DatabaseSync.prototype.exec = function (sql) {
  if (sql === 'commit') done.transactions += 1;
  exec.call(this, sql);
};
const { write } = ServerResponse.prototype;
ServerResponse.prototype.write = function (this: ServerResponse, ...args: Parameters<typeof write>) {
  done.writes += 1;
  return write.apply(this, args);
} as typeof write;

// Behind the lines above: these take what they call when they are loaded.
const { openJournal } = await import('../../src/bridge/journal/start/open-journal.ts');
const { SmallBridge } = await import('../../test/support/small-bridge.ts');

const [dir = ''] = process.argv.slice(2);
const { journal } = openJournal({ dir });
const { agent, dispatcher, url, token } = await SmallBridge.start({ journal });
const answer = agent.onPrompt;
/** The turn that stays open. */
let at = { key: '', turn: '' };
agent.onPrompt = (prompt, session) => {
  if (prompt.text !== 'stay') return answer(prompt, session);
  at = { key: session.key, turn: prompt.turn };
  agent.take(session.key, prompt.turn);
};
let index = 0;

/** One text in a turn of the event loop of its own. */
async function say(texts: number): Promise<void> {
  const { key, turn } = at;
  for (let n = 0; n < texts; n += 1) {
    const text = `some words of a line of an answer, number ${String(index).padStart(8, '0')}\n`;
    const report = {
      type: 'message.delta',
      prompt: `p-${turn}`,
      message: 'm',
      index,
      text,
      final: false,
    } as const;
    if (!dispatcher.dispatch(key, report).ok) throw new Error('the core refused an ordinary text');
    index += 1;
    await setImmediate();
  }
}

const now = () => ({ ...done, rows: journal.last, bytes: process.memoryUsage().heapUsed });

console.log(JSON.stringify({ url, token }));
await answerLines(async ({ texts }) => {
  const before = now();
  await say(Number(texts ?? 0));
  return { before, after: now() };
});
