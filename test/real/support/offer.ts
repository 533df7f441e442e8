// What Claude Code gives its model in a session: tools, prompt, features, and what it does unless it is told otherwise.
import type { Recording } from '../../recorded/recording.ts';
import { shapeOf } from '../../recorded/shape.ts';
import { toolInputs } from '../../recorded/tool-inputs.ts';
import type { HookLog } from './hook-log.ts';
import type { MessagesApi } from './messages-api.ts';
import { betasOf, deferredTools, promptParts, sorted } from './prompt-parts.ts';

export type Offer = Pick<Recording, 'tools' | 'shapes' | 'names' | 'defaults'>;

/** Reads the requests of a session in which all tools behind the tool search were loaded, and an agent was started. */
export function offerIn({ turns, visits }: MessagesApi, home: string, hooks: HookLog['events']): Offer {
  const [first] = turns;
  if (!first) throw new Error('Claude Code asked its model nothing.');
  const deferred = deferredTools(first);
  const atOnce = first.body.tools?.map(({ name }) => name) ?? [];
  const all = turns.flatMap(({ body }) => body.tools ?? []);
  const inputs = new Map(all.map(({ name, input_schema: input }) => [name, input]));
  const way = (tool: string) =>
    atOnce.includes(tool) ? 'offered' : deferred.includes(tool) ? 'behind the tool search' : 'not offered';
  const parts = promptParts(first, home);
  const agent = hooks.find((hook) => hook.hook_event_name === 'PostToolUse' && hook.tool_name === 'Agent');
  const hasOption = JSON.stringify(inputs.get('Agent'))?.includes('"run_in_background"');
  const tools = [...new Set([...atOnce, ...deferred])];
  return {
    tools: toolInputs(tools.map((name) => ({ name, input: inputs.get(name) }))),
    shapes: { request: shapeOf([first.body], ['system', 'messages', 'tools']) },
    names: {
      'deferred tool': sorted(deferred),
      'API feature': betasOf(first),
      'part of the prompt': parts,
      'request at the start': sorted(visits),
    },
    defaults: {
      'state of an agent that was started': agent?.tool_response?.status ?? 'not told',
      'run_in_background of the Agent tool': hasOption ? 'there' : 'not there',
      'auto-memory in the prompt': parts.includes('# Memory') ? 'there' : 'not there',
      'tool ListAgents': way('ListAgents'),
      'tool SendMessage': way('SendMessage'),
    },
  };
}
