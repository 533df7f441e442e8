// N4: what it costs a client that its conversation lives on another machine than the one it asks.
import { readFileSync } from 'node:fs';
import { Nodes } from '../../test/e2e/support/nodes.ts';
import { chatStream, type Door } from '../harness/chat-stream.ts';
import { compare } from '../harness/compare.ts';
import { type Goal, judge, type Row } from '../harness/row.ts';
import { median } from '../harness/stats.ts';

export const relayGoal: Goal = {
  id: 'N4',
  what: 'first byte of a request that another machine answers, p50',
  against: 'the same request, asked there',
  atMost: 2,
  whyNotYet: 'A tunnel is opened for each request, and what the request says is read twice.',
};

const requests = 10;

/** One message after the other. @returns the median time to the first byte, ms */
async function ask(door: Door, session: string): Promise<number> {
  const ms: number[] = [];
  for (let n = 0; n < requests; n += 1) {
    let said = '';
    const stream = await chatStream({ ...door, session, text: `message ${performance.now()}` }, (part) => {
      said += part;
    });
    ms.push(stream.firstByteMs);
    await stream.ended;
    if (!said.includes('You said')) throw new Error(`a message was answered with ${said}`);
  }
  return median(ms);
}

export async function relay(): Promise<Row> {
  await using nodes = await Nodes.met(['mac', 'box']);
  const door = (name: string): Door => {
    const { url, token_file } = nodes.bridge(name).at;
    return { url, token: readFileSync(token_file, 'utf8').trim() };
  };
  const [mac, box] = [door('mac'), door('box')];
  // There it begins, and lives from then on.
  await ask(mac, 'work');
  return judge(
    relayGoal,
    await compare(
      { subject: () => ask(box, 'work'), reference: () => ask(mac, 'work') },
      { warmup: 2, counted: 7 },
    ),
  );
}
