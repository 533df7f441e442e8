// What is to be judged: a tool of Claude Code's own, or one that the hub or a provider lends.

export interface Call {
  /** `Bash`, `mcp__notes__add`; the hub's own name for a tool it lends: `exec`; `<provider>_<tool>`. */
  tool: string;
  input: unknown;
  /** The hub, or a provider, runs it, in a place of its own. */
  lent: boolean;
  /** Whose tool it is; absent for the hub's and for Claude Code's own. */
  provider?: string;
  /** What the operator lets it do. There is one exactly where there is a provider. */
  permissions?: readonly string[];
  /** JSON schema of its input, as its provider gives it; absent where that is not known. */
  schema?: Readonly<Record<string, unknown>>;
  /** Of `Bash`: it runs in Claude Code's sandbox; absent where that is not known. */
  sandboxed?: boolean;
}

/** A call, and the names under which a rule may mean it. */
export interface NamedCall extends Call {
  /** Names that a rule which restricts is compared with; one that allows has to fit `tool`. */
  aliases: readonly string[];
}

/** How Claude Code calls the tools that the bridge passes on. */
const lentPrefix = 'mcp__synthesis__';
/** OpenClaw's tool for tools that it only describes: `{"id": "exec", "args": {…}}`. */
const wrapper = 'tool_call';
const deepest = 4;

export function claudeCall(tool: string, input: unknown): Call {
  return tool.startsWith(lentPrefix)
    ? { tool: tool.slice(lentPrefix.length), input, lent: true }
    : { tool, input, lent: false };
}

/**
 * Says of a shell command of Claude's whether it runs in the sandbox.
 * @param inForce commands of this Claude Code do, unless they ask not to; undefined: that is not known
 */
export function inSandbox(call: Call, inForce: boolean | undefined): Call {
  // Of a preview nobody knows the rest.
  if (typeof call.input !== 'object' || inForce === undefined) return call;
  return { ...call, sandboxed: inForce && !fields(call.input).dangerouslyDisableSandbox };
}

/** The name of a lent tool as Claude Code says it. */
export const claudeName = (tool: string): string => `${lentPrefix}${tool}`;

/** The tool that is meant, out of its wrapping. */
export function unwrapped(call: Call): NamedCall {
  const aliases = new Set<string>([call.tool]);
  let { tool, input } = call;
  // Of a provider's tool that happens to have its name, the input is its own.
  const mayWrap = call.lent && call.provider === undefined;
  for (let depth = 0; mayWrap && tool === wrapper; depth += 1) {
    const { id, args } = fields(input);
    if (typeof id !== 'string' || depth === deepest) return { ...call, aliases: [...aliases, '*'] };
    tool = id;
    input = args ?? {};
    // A catalogue may know one tool by several ids: `core:exec`, `openclaw/exec`.
    for (const name of [id, id.trim().split(/[:/.]/).at(-1) ?? id]) aliases.add(name);
  }
  return { ...call, tool, input, aliases: [...aliases] };
}

export const fields = (input: unknown): Record<string, unknown> =>
  typeof input === 'object' && input !== null && !Array.isArray(input)
    ? (input as Record<string, unknown>)
    : {};
