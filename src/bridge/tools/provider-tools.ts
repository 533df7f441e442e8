// Which of a provider's tools Claude gets, under which names, and what they may do. Pure.
import { fitsWildcard } from '../../base/wildcard.ts';
import { granted, toolName } from '../../domain/policy/provider-grants.ts';
import type { Provider, ToolPermission } from '../../protocol/provider.ts';
import type { ToolSpec } from '../../protocol/tool-spec.ts';

/** A tool as its provider tells it. */
export interface ToldTool {
  name: string;
  description?: string | undefined;
  inputSchema: unknown;
  outputSchema?: unknown;
  idempotent: boolean;
}

export interface OfferedTool extends ToldTool {
  /** The name that Claude calls: `<provider>_<tool>`. */
  name: string;
  /** The provider's own name of it. */
  original: string;
  permissions: readonly ToolPermission[];
}

/** A tool that is not offered, and why, in words. */
export interface RefusedTool {
  tool: string;
  why: string;
}

export const specOf = ({ name, description = '', inputSchema }: OfferedTool): ToolSpec => ({
  name,
  description,
  parameters: inputSchema as Record<string, unknown>,
});

/** @param check says what is wrong with a schema, in words */
export function offer(
  provider: Provider,
  told: readonly ToldTool[],
  check: (schema: unknown) => string | undefined,
): { offered: OfferedTool[]; refused: RefusedTool[] } {
  const offered = new Map<string, OfferedTool>();
  const refused: RefusedTool[] = [];
  for (const tool of told) {
    if (!provider.tools.some((wanted) => fitsWildcard(wanted, tool.name))) continue;
    const name = toolName(provider.name, tool.name);
    const permissions = granted(provider.permissions, tool.name);
    const why = offered.has(name)
      ? `its name for Claude, ${name}, is that of another of its tools`
      : permissions.length === 0
        ? 'the configuration grants it no permission'
        : check(tool.inputSchema);
    if (why === undefined) offered.set(name, { ...tool, name, original: tool.name, permissions });
    else refused.push({ tool: tool.name, why });
  }
  return { offered: [...offered.values()], refused };
}
