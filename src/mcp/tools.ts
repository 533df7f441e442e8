// The bridge's catalog as MCP tools, and outcomes as MCP results. Pure.
import type { ToolSpec } from '../protocol/tool-spec.ts';
import type { CallOutcome } from './call.ts';

interface McpTool {
  [key: string]: unknown;
  name: string;
  description: string;
  inputSchema: { [key: string]: unknown; type: 'object' };
  _meta: Record<string, unknown>;
}

export interface ToolList {
  tools: McpTool[];
  /** Name shown to Claude → name in the bridge's catalog, where they differ. */
  originals: ReadonlyMap<string, string>;
}

/** Claude Code cuts descriptions at about 4,100 characters and documents 2 KB (measured on 2.1.329). */
const descriptionLimit = 1_990;
/** Above this, Claude Code replaces a result by a file name and a preview of 2 KB; documented maximum 500,000. */
const resultChars = 100_000;
/** The Messages API allows 128 characters for `mcp__synthesis__` and the name together. */
const nameLimit = 128 - 'mcp__synthesis__'.length;

/** Travels as an ordinary tool_call; a catalog entry of the same name replaces this description. */
const replyTool: ToolSpec = {
  name: 'reply',
  description:
    'Send a message or files to the chat outside of your normal answer: progress while a long task runs, ' +
    'a result after the turn ended, or files to hand over. Your normal answer text reaches the chat by itself; ' +
    'do not repeat it here.',
  parameters: {
    type: 'object',
    properties: {
      text: { type: 'string', description: 'The message, in Markdown.' },
      files: {
        type: 'array',
        items: { type: 'string' },
        description: 'Absolute paths of files to send along.',
      },
    },
    required: ['text'],
  },
};

/** Built-in tools first, then the catalog in its own order; the first of equal names wins. */
export function toToolList(catalog: readonly ToolSpec[]): ToolList {
  const entries = catalog.some((entry) => entry.name === replyTool.name) ? catalog : [replyTool, ...catalog];
  const tools = new Map<string, McpTool>();
  const originals = new Map<string, string>();
  for (const entry of entries) {
    const name = entry.name.replace(/[^A-Za-z0-9_-]/g, '_').slice(0, nameLimit);
    if (tools.has(name)) continue;
    tools.set(name, toMcpTool(name, entry));
    if (name !== entry.name) originals.set(name, entry.name);
  }
  return { tools: [...tools.values()], originals };
}

function toMcpTool(name: string, entry: ToolSpec): McpTool {
  return {
    name,
    description: shorten(entry.description, descriptionLimit),
    inputSchema: { ...entry.parameters, type: 'object' },
    // Without alwaysLoad the tools hide behind a search tool and their schemas are not in the prompt.
    _meta: { 'anthropic/alwaysLoad': true, 'anthropic/maxResultSizeChars': resultChars },
  };
}

function shorten(text: string, limit: number): string {
  if (text.length <= limit) return text;
  // Never between the halves of a surrogate pair.
  return `${text.slice(0, limit - 1).replace(/[\ud800-\udbff]$/, '')}…`;
}

export interface McpResult {
  [key: string]: unknown;
  content: { type: 'text'; text: string }[];
  structuredContent?: Record<string, unknown>;
  isError?: true;
}

/**
 * Texts as they are, everything else as JSON. An envelope is text and structure: of an error Claude Code shows the model
 * the text alone, of everything else the structure alone (measured on 2.1.330).
 */
export function toMcpResult(outcome: CallOutcome): McpResult {
  const text = outcome.ok ? resultText(outcome.result) : outcome.error;
  const structure = outcome.envelope && objectOf(text);
  return {
    content: [{ type: 'text', text }],
    ...(structure && { structuredContent: structure }),
    ...(!outcome.ok && { isError: true as const }),
  };
}

function resultText(result: unknown): string {
  const text = typeof result === 'string' ? result : (JSON.stringify(result) ?? '');
  return text === '' ? '(no output)' : text;
}

/** Undefined for what is no object: then the text has to do. */
function objectOf(json: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(json);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined;
  } catch {
    return undefined;
  }
}
