// A scripted model that does what it is told: `use exec {…}` wants that tool once, and then says what came of it.
import type { MessagesApi } from './messages-api.ts';

export function usesTools(api: MessagesApi): void {
  api.on('use ', (answer, request) => {
    const [, tool = '', input = '{}'] = /use (\S+) (\{.*\})/.exec(request.newest) ?? [];
    if (request.toolResults.length === 0) answer.tool(tool, JSON.parse(input));
    else answer.text(`it said: ${JSON.stringify(request.last)}`);
  });
}
