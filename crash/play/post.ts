// One request of a client, with the connection in hand: it can be cut, left unread, or sent through something broken.
import { type ClientRequest, type IncomingMessage, request } from 'node:http';

export interface Post {
  /** `http://127.0.0.1:PORT`, of the bridge or of what lies in front of it. */
  url: string;
  /** `127.0.0.1:PORT` of the bridge. */
  host: string;
  token: string;
  session: string;
  /** Equal for every repeat of the message. */
  key: string;
  text: string;
  stream: boolean;
}

export interface Told {
  /** Status and headers are there. */
  status(status: number): void;
  /** More of the answer's text. */
  text(text: string): void;
  /** The request is on its way and can be destroyed. */
  going?(posted: ClientRequest): void;
}

/** `body` is set for anything but 200. */
export type Outcome =
  | { end: 'done'; text: string }
  | { end: 'refused'; status: number; body: string }
  | { end: 'broken' };

/** Never throws: what happens to a connection is what is looked at. */
export function post(what: Post, told: Told): Promise<Outcome> {
  const { promise, resolve } = Promise.withResolvers<Outcome>();
  const broken = () => resolve({ end: 'broken' });
  const posted = request(`${what.url}/v1/chat/completions`, {
    method: 'POST',
    agent: false,
    headers: {
      host: what.host,
      authorization: `Bearer ${what.token}`,
      'content-type': 'application/json',
      'x-synthesis-session': what.session,
      'idempotency-key': what.key,
    },
  });
  posted.on('error', broken).on('close', broken);
  posted.on('response', (response) => {
    told.status(response.statusCode ?? 0);
    response.on('error', broken);
    (response.statusCode === 200 ? readAnswer(response, what.stream, told) : readRefusal(response)).then(
      resolve,
      broken,
    );
  });
  told.going?.(posted);
  posted.end(
    JSON.stringify({
      model: 'claude',
      stream: what.stream,
      messages: [{ role: 'user', content: what.text }],
    }),
  );
  return promise;
}

async function wholeBody(response: IncomingMessage): Promise<string> {
  let body = '';
  for await (const piece of response.setEncoding('utf8')) body += piece;
  return body;
}

async function readRefusal(response: IncomingMessage): Promise<Outcome> {
  return { end: 'refused', status: response.statusCode ?? 0, body: await wholeBody(response) };
}

interface Choice {
  delta?: { content?: string };
  message?: { content?: string | null };
}

const choiceOf = (json: string): Choice | undefined =>
  (JSON.parse(json) as { choices?: Choice[] }).choices?.[0];

async function readAnswer(response: IncomingMessage, stream: boolean, told: Told): Promise<Outcome> {
  if (!stream) {
    const text = choiceOf(await wholeBody(response))?.message?.content ?? '';
    told.text(text);
    return { end: 'done', text };
  }
  let text = '';
  let rest = '';
  let done = false;
  for await (const piece of response.setEncoding('utf8')) {
    const events = (rest + piece).split('\n\n');
    rest = events.pop() ?? '';
    for (const data of events.map((event) => event.replace(/^data: /, ''))) {
      if (data === '[DONE]') done = true;
      else {
        const more = choiceOf(data)?.delta?.content ?? '';
        text += more;
        if (more !== '') told.text(more);
      }
    }
  }
  return done ? { end: 'done', text } : { end: 'broken' };
}
