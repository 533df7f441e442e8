// The bridge from its core outwards, as in core-bridge.ts, where Claude writes answers as long as it is asked to. Each line
// comes as a piece of its own, as from a hook; 500 of them are a message.
import { keepYoungSpace } from '../../src/base/process/young-space.ts';
import { openJournal } from '../../src/bridge/journal/start/open-journal.ts';
import { findTurn } from '../../src/domain/state/session.ts';
import { SmallBridge } from '../../test/support/small-bridge.ts';
import { answerLines, grow } from '../harness/heap.ts';

const perMessage = 500;

const [dir = ''] = process.argv.slice(2);
const { journal } = openJournal({ dir });
const { agent, dispatcher, url, token } = await SmallBridge.start({ journal });
/** The newest one. */
let at = { key: '', turn: '' };
agent.onPrompt = ({ turn }, { key }) => {
  at = { key, turn };
  agent.take(key, turn);
};
// As `up` does it.
keepYoungSpace();
console.log(JSON.stringify({ url, token }));

await answerLines(async ({ lines, looks }) => {
  const { key, turn } = at;
  const write = (text: string, n: number) => {
    const index = n % perMessage;
    const message = `m${Math.floor(n / perMessage)}`;
    const final = index === perMessage - 1;
    const prompt = `p-${turn}`;
    const report = { type: 'message.delta', prompt, message, index, text, final } as const;
    if (!dispatcher.dispatch(key, report).ok) throw new Error('the core refused an ordinary line');
  };
  const grown = await grow(Number(lines), write, looks as number | undefined);
  agent.endTurn(key, turn);
  const session = dispatcher.session(key);
  return { ...grown, length: session && findTurn(session, turn)?.answer.text.length };
});
