// The bridge from its HTTP door to the journal on disk, with Claude as a script, in a process of its own: what is
// measured is the bridge alone. A thousand simulated Claude Codes would be a thousand processes, and 50 GB.
import { readdirSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { openJournal } from '../src/bridge/journal/start/open-journal.ts';
import { SmallBridge } from '../test/support/small-bridge.ts';
import type { Sample } from './sample.ts';

const [dir = ''] = process.argv.slice(2);
const { journal } = openJournal({ dir });
const limits = { messagesPerMinute: 1_000_000, messageCharacters: 100_000 };
const bridge = await SmallBridge.start({
  journal,
  limits,
  mostRequests: 100_000,
  connections: { strangers: { most: 100_000, cap: 100_000 } },
});
const { agent } = bridge;

/** Texts that come at once, before others have their turn. */
const burst = 5;

/** `texts N`: an answer of N texts. */
agent.onPrompt = ({ turn, text }, { key }) => {
  const count = Number(/texts (\d+)/.exec(text)?.[1] ?? 1);
  agent.take(key, turn);
  let at = 0;
  const more = () => {
    for (const end = Math.min(count, at + burst); at < end; at += 1)
      agent.say(key, turn, `text ${at}\n`, 'm', at, at === count - 1);
    if (at < count) setImmediate(more);
    else agent.endTurn(key, turn);
  };
  more();
};

function sample(): Sample {
  // What is garbage by now is no growth.
  globalThis.gc?.();
  const { rss, heapUsed } = process.memoryUsage();
  const kinds: Record<string, number> = {};
  for (const kind of process.getActiveResourcesInfo()) kinds[kind] = (kinds[kind] ?? 0) + 1;
  return {
    rss,
    heap: heapUsed,
    // One of them listens, whatever Node calls it.
    sockets: (kinds.TCPSocketWrap ?? 0) + (kinds.TCPServerWrap ?? 0) - 1,
    timers: kinds.Timeout ?? 0,
    files: readdirSync('/proc/self/fd').length,
    rows: journal.last,
  };
}

const say = (line: object) => console.log(JSON.stringify(line));
createInterface(process.stdin).on('line', () => say(sample()));
say({ url: bridge.url, token: bridge.token });
