// Clients of one turn: some read as it comes, some stand still until they are told to read on.
import { type IncomingMessage, request } from 'node:http';

export interface ReadersOptions {
  url: string;
  token: string;
  session: string;
  /** Without those that stand still. */
  reading: number;
  /** Default: one. */
  stalled?: number;
}

export interface TurnReaders {
  /** Lets those that stood still read on. @returns the text that each of them got, characters */
  lengths(): Promise<number[]>;
}

/** Resolves when all of them have the beginning of their response. */
export async function readTurn({ reading, stalled = 1, ...options }: ReadersOptions): Promise<TurnReaders> {
  const open: IncomingMessage[] = [];
  for (let n = 0; n < reading + stalled; n += 1) open.push(await post(options));
  const reads = open.slice(0, reading).map(textLength);
  return {
    lengths: () => Promise.all([...reads, ...open.slice(reading).map(textLength)]),
  };
}

function post({
  url,
  token,
  session,
}: Omit<ReadersOptions, 'reading' | 'stalled'>): Promise<IncomingMessage> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const headers = {
    authorization: `Bearer ${token}`,
    'content-type': 'application/json',
    'x-synthesis-session': session,
  };
  request(`${url}/v1/chat/completions`, { method: 'POST', agent: false, headers }, (response) => {
    response.pause();
    if (response.statusCode === 200) resolve(response);
    else reject(new Error(`${url} answered ${response.statusCode}`));
  })
    .on('error', reject)
    .end(JSON.stringify({ model: 'claude', stream: true, messages: [{ role: 'user', content: session }] }));
  return promise;
}

/** Length of the text in a stream of chunks, however they are cut. */
async function textLength(response: IncomingMessage): Promise<number> {
  let length = 0;
  let rest = '';
  for await (const part of response.setEncoding('utf8')) {
    const lines = (rest + part).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) length += contentOf(line).length;
  }
  return length;
}

function contentOf(line: string): string {
  if (!line.startsWith('data: {')) return '';
  const { choices } = JSON.parse(line.slice(6)) as { choices: { delta: { content?: string } }[] };
  return choices[0]?.delta.content ?? '';
}
