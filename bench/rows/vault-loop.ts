// V5: whoever only talks to the server of a vault, as the bridge does, is not held up while the vault is indexed.
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { z } from 'zod';
import { vaultTools } from '../../src/protocol/settings/vault.ts';
import { type Place, shipped } from '../harness/place.ts';
import { type Goal, judge, type Row } from '../harness/row.ts';
import { benchVault } from '../harness/vault.ts';
import { fillVault } from '../subject/fill-vault.ts';

const notes = 1_000;
/** The least of them counts: what holds the loop up by itself does so in each, another program in some. */
const rounds = 4;
/** Between two questions to the server, milliseconds. */
const everyMs = 50;
/** Milliseconds that the loop may stand still longer than beside a vault that rests. */
const over = 50;

export const loopGoal: Goal = {
  id: 'V5',
  what: `the event loop of who talks to a vault's server while ${notes} notes are indexed: its longest delay`,
  against: `the same when they are, and ${over} ms`,
  atMost: 1,
  whyNotYet: 'Something of the index is made, read or waited for in the process of who asks.',
};

const Status = z.object({ data: z.object({ job: z.object({ state: z.string() }).nullable() }) });

async function talkTo({ env }: Place, path: string, stateDir: string): Promise<Client> {
  const { settings } = benchVault(path, stateDir);
  const client = new Client({ name: 'bench', version: '0.0.0' });
  const order = JSON.stringify({ settings, stateDir, all: [settings] });
  await client.connect(
    new StdioClientTransport({ command: process.execPath, args: [shipped.vault, order], env }),
  );
  return client;
}

async function isIndexing(client: Client): Promise<boolean> {
  const { structuredContent } = await client.callTool({ name: vaultTools.status, arguments: {} });
  return Status.parse(structuredContent).data.job?.state === 'running';
}

/** The longest delay of the loop of this process until `isOver`, while the server is asked again and again, ms. */
async function longestDelay(client: Client, isOver: (indexing: boolean) => boolean): Promise<number> {
  const delays = monitorEventLoopDelay({ resolution: 1 });
  delays.enable();
  while (!isOver(await isIndexing(client))) await pause(everyMs);
  delays.disable();
  return delays.max / 1_000_000;
}

export async function besideVault(place: Place): Promise<Row> {
  const folder = await place.home.directory('notes');
  fillVault(folder, notes);
  const all: { subject: number[]; reference: number[] } = { subject: [], reference: [] };
  for (let round = 0; round < rounds; round += 1) {
    const client = await talkTo(place, folder, await place.home.directory(`state-${round}`));
    const begun = performance.now();
    all.subject.push(await longestDelay(client, (indexing) => !indexing));
    const took = performance.now() - begun;
    const indexed = performance.now();
    all.reference.push(await longestDelay(client, () => performance.now() - indexed > took));
    await client.close();
  }
  return judge(loopGoal, {
    subject: [Math.min(...all.subject)],
    reference: [Math.min(...all.reference) + over],
  });
}
