import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { McpServer } from '../mcp/mcp-server.ts';
import { Questions } from '../permission/permission-dialog.ts';
import type { ToolUse } from '../turn/brain.ts';
import { runShell } from './shell.ts';

/** What a tool did: `response` is what PostToolUse carries, `text` what the model reads. */
export type ToolOutcome = { ok: true; response: unknown; text: string } | { ok: false; error: string };

const local = new Set(['Bash', 'Write', 'AskUserQuestion', 'ExitPlanMode']);

/** The tools of the simulated Claude: four of its own and those of its MCP servers. */
export class ToolBox {
  readonly #cwd: string;
  readonly #env: NodeJS.ProcessEnv;
  readonly #servers: ReadonlyMap<string, McpServer>;

  constructor(cwd: string, env: NodeJS.ProcessEnv, servers: ReadonlyMap<string, McpServer>) {
    this.#cwd = cwd;
    this.#env = env;
    this.#servers = servers;
  }

  /** The text the model sees when there is no such tool; undefined when there is one. */
  missing(name: string): string | undefined {
    if (local.has(name)) return undefined;
    const { server, tool } = this.#find(name);
    if (!server?.tools.includes(tool)) return `No such tool available: ${name}`;
    if (!server.connected)
      return `No such tool available: ${name}. MCP server '${server.name}' has disconnected`;
    return undefined;
  }

  /** The name of the MCP server a tool belongs to. */
  serverOf(name: string): string | undefined {
    return this.#find(name).server?.name;
  }

  async run(call: ToolUse, toolUseId: string, signal: AbortSignal): Promise<ToolOutcome> {
    try {
      switch (call.name) {
        case 'Bash':
          return await this.#bash(String(call.input.command ?? ''), signal);
        case 'Write':
          return this.#write(String(call.input.file_path ?? ''), String(call.input.content ?? ''));
        case 'AskUserQuestion':
          return answered(call.input);
        case 'ExitPlanMode':
          return {
            ok: true,
            response: { plan: call.input.plan ?? '', isAgent: false },
            text: 'Plan approved.',
          };
        default:
          return await this.#mcp(call, toolUseId, signal);
      }
    } catch (error) {
      return { ok: false, error: error instanceof Error ? error.message : String(error) };
    }
  }

  async #bash(command: string, signal: AbortSignal): Promise<ToolOutcome> {
    const env = { ...this.#env, CLAUDE_PID: String(process.pid) };
    const { code, stdout, stderr } = await runShell(command, { cwd: this.#cwd, env, signal });
    if (code !== 0) return { ok: false, error: `Exit code ${code}\n${stderr || stdout}`.trimEnd() };
    return { ok: true, response: { stdout, stderr, interrupted: false }, text: stdout.trimEnd() };
  }

  #write(file: string, content: string): ToolOutcome {
    const filePath = resolve(this.#cwd, file);
    const originalFile = existsSync(filePath) ? readFileSync(filePath, 'utf8') : null;
    mkdirSync(dirname(filePath), { recursive: true });
    writeFileSync(filePath, content);
    const type = originalFile === null ? 'create' : 'update';
    const response = { type, filePath, content, structuredPatch: [], originalFile, userModified: false };
    return { ok: true, response, text: `File written: ${filePath}` };
  }

  async #mcp(call: ToolUse, toolUseId: string, signal: AbortSignal): Promise<ToolOutcome> {
    const { server, tool } = this.#find(call.name);
    if (!server) return { ok: false, error: `No such tool available: ${call.name}` };
    const result = await server.call(tool, call.input, toolUseId, signal);
    const text = result.content.map(textOf).join('\n');
    if (result.isError) return { ok: false, error: text };
    // The model reads the structure alone where there is one, unless it is an error (measured on 2.1.330).
    const { content: response, structuredContent: structure } = result;
    return { ok: true, response, text: structure ? JSON.stringify(structure) : text };
  }

  #find(name: string): { server: McpServer | undefined; tool: string } {
    const [, server = '', tool = ''] = /^mcp__(.+?)__(.+)$/.exec(name) ?? [];
    return { server: this.#servers.get(server), tool };
  }
}

function textOf(block: unknown): string {
  return typeof block === 'object' && block !== null && 'text' in block
    ? String(block.text)
    : JSON.stringify(block);
}

function answered(input: Record<string, unknown>): ToolOutcome {
  const questions = Questions.safeParse(input).data?.questions ?? [];
  const answers = typeof input.answers === 'object' && input.answers !== null ? input.answers : {};
  const chosen = Object.entries(answers).map(([question, answer]) => `${question} ${String(answer)}`);
  return { ok: true, response: { questions, answers }, text: chosen.join('\n') };
}
