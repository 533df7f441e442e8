// Receives Claude Code's hooks, so that a test can see what the program says of itself without the bridge.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';

interface HookEvent {
  hook_event_name: string;
  session_id: string;
  prompt?: string;
  delta?: string;
  last_assistant_message?: string;
  tool_name?: string;
  tool_response?: { status?: string };
  background_tasks?: unknown[];
  /** The subagent in which it happened. */
  agent_id?: string;
  /** Of a status line, which has no name. */
  context_window?: { current_usage?: object | null };
}

export interface HookLog extends AsyncDisposable {
  events: HookEvent[];
  /** Takes whatever is posted below it. */
  url: string;
  /** For `--settings`: reports the start, prompts, text and the end of turns here. */
  settings: string;
}

export async function hookLog(): Promise<HookLog> {
  const events: HookEvent[] = [];
  const server = createServer(async (request, response) => {
    events.push((await json(request)) as HookEvent);
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const post = [{ hooks: [{ type: 'http', url, timeout: 5 }] }];
  const curl = [{ hooks: [{ type: 'command', command: `curl -s --data-binary @- ${url}` }] }];
  return {
    events,
    url,
    // SessionStart takes no http handler; it would be ignored without a word.
    settings: JSON.stringify({
      disableAgentView: true,
      hooks: {
        SessionStart: curl,
        UserPromptSubmit: post,
        MessageDisplay: post,
        Stop: post,
        StopFailure: post,
      },
    }),
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
