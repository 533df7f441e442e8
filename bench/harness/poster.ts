import { Agent, request } from 'node:http';

/** Posts JSON on one kept-alive connection, as Claude Code does. */
export function poster(url: string, token: string): (body: object, answered: (text: string) => void) => void {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  return (body, answered) => {
    const text = JSON.stringify(body);
    const headers = {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(text),
    };
    request(url, { method: 'POST', headers, agent }, (response) => {
      if (response.statusCode !== 200) throw new Error(`a hook was answered with ${response.statusCode}`);
      response.setEncoding('utf8').on('data', answered);
    }).end(text);
  };
}

/** A hook with a piece of an answer. */
export const messageDisplay = (index: number, delta: string) => ({
  hook_event_name: 'MessageDisplay',
  session_id: 'bench',
  message_id: 'message',
  index,
  final: false,
  delta,
});
