// A hook of a tool → the report of what Claude did.
import type { AgentReport } from '../../../domain/commands.ts';
import type { PostToolUseHook } from '../hooks/hook-schema.ts';
import { errandOf } from './errand.ts';

/** Of a tool's output, characters. */
const longestOutput = 4000;

interface ToolHook {
  prompt_id?: string | undefined;
  agent_id?: string | undefined;
  tool_use_id?: string | undefined;
  tool_name: string;
  tool_input: unknown;
}

/** What it left running goes along. */
export function toolSucceeded(hook: PostToolUseHook): AgentReport[] {
  const { tool_name, tool_input, tool_response, tool_use_id } = hook;
  const errand =
    // A subagent hears of its own errands.
    tool_use_id === undefined || hook.agent_id
      ? undefined
      : errandOf(tool_name, tool_input, tool_response, tool_use_id);
  return toolActivity(hook, 'succeeded', tool_response).map((report) => ({
    ...report,
    ...(errand && { errand }),
  }));
}

export function toolActivity(
  hook: ToolHook,
  phase: 'started' | 'succeeded' | 'failed',
  output?: unknown,
): AgentReport[] {
  if (hook.tool_use_id === undefined) return [];
  const { prompt_id: prompt, agent_id: agent } = hook;
  // An agent names the prompt that the main thread had last.
  const by = agent === undefined ? prompt !== undefined && { prompt } : { agent };
  return [
    {
      type: 'tool.activity',
      tool_use: hook.tool_use_id,
      tool: hook.tool_name,
      phase,
      ...by,
      ...(phase === 'started' && { input: hook.tool_input }),
      ...(output !== undefined && { output: words(output) }),
    },
  ];
}

function words(output: unknown): string {
  const text = typeof output === 'string' ? output : (JSON.stringify(output) ?? '');
  return text.length > longestOutput ? `${text.slice(0, longestOutput)}…` : text;
}
