// Which of a provider's tools Claude gets, under which names, and what they may do.
import { setImmediate } from 'node:timers/promises';
import { fitsWildcard } from '../../base/text/wildcard.ts';
import { granted, toolName } from '../../domain/policy/provider-grants.ts';
import type { ToolView } from '../../domain/views/tools.ts';
import type { Provider } from '../../protocol/settings/provider.ts';
import { argumentCheck, type Check } from './schema/arguments.ts';
import { resultBounds } from './schema/bounds.ts';
import { checkSchema } from './schema/tool-schema.ts';

/** A tool as its provider tells it. */
export interface ToldTool {
  name: string;
  description?: string | undefined;
  inputSchema?: unknown;
  outputSchema?: unknown;
  idempotent: boolean;
  /** It says of itself that it changes something. */
  changes: boolean;
}

export interface OfferedTool extends ToolView {
  checkArguments: Check;
  /** Undefined without an output schema that can be used. */
  checkOutput: Check | undefined;
}

/** A tool that is not offered, and why, in words. */
export interface RefusedTool {
  tool: string;
  why: string;
}

/** Why a tool is refused that the operator lets do nothing. */
export const noPermission = 'the configuration grants it no permission';

/** The Messages API allows 128 characters, of which `mcp__synthesis__` takes 16. */
const longestName = 112;
/** Of all tools of a provider together, as JSON: they stand in every prompt. */
const mostCharacters = 256 * 1024;

/** Looks into one schema after the other, with time for others between: a list may hold hundreds that are slow to check. */
export async function offer(
  provider: Provider,
  told: readonly ToldTool[],
): Promise<{ offered: OfferedTool[]; refused: RefusedTool[] }> {
  const offered = new Map<string, OfferedTool>();
  const refused: RefusedTool[] = [];
  let characters = 0;
  for (const tool of told) {
    if (!provider.tools.some((wanted) => fitsWildcard(wanted, tool.name))) continue;
    const name = toolName(provider.name, tool.name);
    const read = offered.has(name)
      ? `its name for Claude, ${name}, is that of another of its tools`
      : readTool(provider, tool, name);
    if (typeof read === 'string') refused.push({ tool: tool.name, why: read });
    else if (characters + sizeOf(read) > mostCharacters)
      refused.push({
        tool: tool.name,
        why: `the tools before it fill the ${mostCharacters} characters for all`,
      });
    else {
      characters += sizeOf(read);
      offered.set(name, read);
    }
    await setImmediate();
  }
  return { offered: [...offered.values()], refused };
}

const sizeOf = ({ name, description, parameters }: OfferedTool): number =>
  JSON.stringify({ name, description, parameters }).length;

/** @returns why it cannot be offered, in words, if it cannot */
function readTool(provider: Provider, told: ToldTool, name: string): OfferedTool | string {
  const { name: tool, description = '', idempotent, inputSchema, outputSchema } = told;
  if (name.length > longestName) return `its name for Claude is longer than ${longestName} characters`;
  const permissions = granted(provider.permissions, tool);
  if (permissions.length === 0) return noPermission;
  // Nothing that a server says of itself lets a tool do more. That it does more than it is granted is another matter.
  if (told.changes && permissions.every((permission) => permission.startsWith('read:')))
    return `it says of itself that it changes something, and is only granted ${permissions.join(', ')}`;
  const input = checkSchema(inputSchema);
  if (!input.ok) return input.words;
  const output = outputSchema === undefined ? undefined : checkSchema(outputSchema, 'outputSchema');
  return {
    name,
    tool,
    description,
    permissions,
    idempotent,
    // The schema that was read is the library's to write into.
    parameters: inputSchema as Record<string, unknown>,
    checkArguments: argumentCheck(input.schema),
    checkOutput: output?.ok ? argumentCheck(output.schema, resultBounds) : undefined,
  };
}
