// Claude's own tool use → what a gateway shows of it. Pure.
import { excerpt, visible } from '../../../domain/safe-text.ts';
import { subjectOf, textField } from '../../../domain/words/tool-subject.ts';
import type { ToolCall, ToolCallKind, ToolCallStatus } from '../../../protocol/wire/agp.ts';

/** One tool use as the journal tells it. */
export interface ToolUse {
  id: string;
  tool: string;
  /** As given at its start; unknown when the bridge did not see that. */
  input?: unknown;
}

/** Claude Code's own tools, by the names of 2.1.329. */
const kinds: Readonly<Record<string, ToolCallKind>> = {
  Read: 'read',
  NotebookRead: 'read',
  ReadMcpResourceTool: 'read',
  Edit: 'edit',
  MultiEdit: 'edit',
  Write: 'edit',
  NotebookEdit: 'edit',
  Bash: 'execute',
  BashOutput: 'execute',
  KillShell: 'execute',
  Glob: 'search',
  Grep: 'search',
  LS: 'search',
  LSP: 'search',
  ToolSearch: 'search',
  WebSearch: 'search',
  WebFetch: 'fetch',
  Agent: 'think',
  Task: 'think',
  TodoWrite: 'think',
  TaskCreate: 'think',
  TaskUpdate: 'think',
  EnterPlanMode: 'think',
  ExitPlanMode: 'think',
};

/** The first that fits the name of a tool of somebody else's server, e.g. `mcp__files__delete_file`. */
const verbs: readonly [RegExp, ToolCallKind][] = [
  [/delete|remove|trash/, 'delete'],
  [/search|find|query|list/, 'search'],
  [/fetch|download|browse|navigate/, 'fetch'],
  [/write|edit|update|create|move|rename|patch/, 'edit'],
  [/exec|run|shell|command/, 'execute'],
  [/read|get|view|open/, 'read'],
];

export function kindOf({ tool, input }: ToolUse): ToolCallKind {
  const known = Object.hasOwn(kinds, tool) ? kinds[tool] : undefined;
  if (
    tool === 'Bash' &&
    /^\s*(?:sudo\s+)?(?:rm|rmdir|unlink|shred)\s[^;&|]*$/.test(textField(input, 'command'))
  )
    return 'delete';
  if (known) return known;
  const name = (tool.split('__').at(-1) ?? tool).toLowerCase();
  return verbs.find(([verb]) => verb.test(name))?.[1] ?? 'other';
}

/** Longest title, characters. */
const longestTitle = 100;

/** @param output what the tool gave back, shown when it is completed */
export function toolCall(use: ToolUse, status: ToolCallStatus, output?: string): ToolCall {
  const paths = ['file_path', 'notebook_path', 'path']
    .map((name) => textField(use.input, name))
    .filter((path) => /^(?:\/|[A-Za-z]:[\\/])/.test(path));
  return {
    tool_call_id: use.id,
    title: titleOf(use),
    kind: kindOf(use),
    status,
    ...(status === 'completed' &&
      output !== undefined &&
      output !== '' && {
        content: [{ type: 'text', text: visible(excerpt(output.toWellFormed()).text) }],
      }),
    ...(paths.length > 0 && { locations: [...new Set(paths)].map((path) => ({ path: visible(path) })) }),
  };
}

function titleOf({ tool, input }: ToolUse): string {
  const about = subjectOf(input);
  const text = (about === '' ? tool : `${tool}: ${about}`).slice(0, 10 * longestTitle);
  const whole = visible(text.toWellFormed().replace(/\s+/g, ' ').trim());
  return whole.length > longestTitle ? `${whole.slice(0, longestTitle).toWellFormed()}…` : whole;
}
