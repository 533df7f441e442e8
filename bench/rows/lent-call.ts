// H7: what a call of a lent tool costs that goes through a host. H8: how that grows with the result.

import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { newToken } from '../../src/base/ids.ts';
import { silentLog } from '../../src/base/log.ts';
import { systemClock } from '../../src/base/time/clock.ts';
import { HookFeed } from '../../src/bridge/claude/hooks/hook-feed.ts';
import { ServedTools } from '../../src/bridge/claude/tools/served-tools.ts';
import { HostStarter } from '../../src/bridge/terminal/host-starter.ts';
import { OwnedHosts } from '../../src/bridge/terminal/owned-hosts.ts';
import { Scopes } from '../../src/bridge/terminal/scopes.ts';
import { compare } from '../harness/compare.ts';
import { shell, size } from '../harness/owned-host.ts';
import { fromBench, type Place, shipped } from '../harness/place.ts';
import { Program } from '../harness/program.ts';
import { type Goal, judge, type Row } from '../harness/row.ts';

/** Of one round, milliseconds. */
const roundMs = 400;
const counts = { warmup: 3, counted: 9 };
const times = 10;
const fewCharacters = 8_000;
const token = 'the-token-of-a-benchmark';

export const lentCallGoal: Goal = {
  id: 'H7',
  what: 'a call of a lent tool through a host, until Claude has its answer',
  against: 'reference/mcp-server.ts, without a host',
  atMost: 1,
  whyNotYet: 'A message of MCP is looked into on its way, or its answer waits for a timer.',
};
export const lentResultGoal: Goal = {
  id: 'H8',
  what: `the same, when the answer has ${times * fewCharacters} characters`,
  against: `${fewCharacters} characters`,
  atMost: times * 1.3,
  whyNotYet: 'An answer is copied more often the longer it is.',
};

/** A host with a bridge's own side of lent tools, which answers each call at once. */
async function lending({ home }: Place): Promise<{ url: string } & AsyncDisposable> {
  const log = silentLog;
  const scopes = new Scopes({ env: {}, log });
  const about = {
    clock: systemClock,
    scopes,
    program: shipped.host,
    nodePath: process.execPath,
    stateDir: home.path,
    secret: newToken(),
    log,
    hosts: new OwnedHosts(),
  };
  const host = await new HostStarter(about, false).start(await home.directory('lending'), 'r');
  const lent = { name: 'text', description: 'A text', parameters: { type: 'object' } };
  const tools: ServedTools = new ServedTools({
    clock: systemClock,
    log,
    run: 'r',
    tools: [lent],
    notify: (message, keep) => host.notify(message, keep),
    events: {
      called: ({ call, args }) => tools.answerTool(call, true, 'x'.repeat(Number(args.length))),
      cancelled: () => {},
      toolsListed: () => {},
    },
  });
  await host.start({ ...shell('exec cat'), ...size }, token);
  host.attach(
    new HookFeed({
      host,
      log,
      isClosing: () => false,
      reported: async () => {},
      read: ({ n }, body, client) => tools.read(n, body, client),
    }),
  );
  const end = async () => {
    tools.close();
    await host.quit();
  };
  return { url: `${host.hooksUrl}/mcp`, [Symbol.asyncDispose]: end };
}

/** @returns one round: milliseconds a call */
async function calling(url: string): Promise<{ round(length: number): Promise<number> } & AsyncDisposable> {
  const client = new Client({ name: 'bench', version: '0.0.0' });
  const headers = { authorization: `Bearer ${token}` };
  const transport = new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } });
  await client.connect(transport as Parameters<Client['connect']>[0]);
  const call = (length: number) => client.callTool({ name: 'text', arguments: { length } });
  const round = async (length: number) => {
    const begun = performance.now();
    let calls = 0;
    for (; performance.now() - begun < roundMs; calls += 1) {
      const { isError } = await call(length);
      if (isError) throw new Error('a lent tool failed');
    }
    return (performance.now() - begun) / calls;
  };
  return { round, [Symbol.asyncDispose]: () => client.close() };
}

export async function lentCall(place: Place): Promise<Row[]> {
  await using host = await lending(place);
  await using reference = await Program.start([fromBench('reference/mcp-server.ts')], place.env);
  await using ours = await calling(host.url);
  await using theirs = await calling(reference.text('url'));
  const short = {
    subject: () => ours.round(100),
    reference: () => theirs.round(100),
  };
  const long = {
    subject: () => ours.round(times * fewCharacters),
    reference: () => ours.round(fewCharacters),
  };
  return [
    judge(lentCallGoal, await compare(short, counts)),
    judge(lentResultGoal, await compare(long, counts)),
  ];
}
