import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { CallResult, McpServer } from '../mcp/mcp-server.ts';
import { Questions } from '../permission/permission-dialog.ts';
import type { Screen } from '../screen/screen.ts';
import { type Ending, movedToBackground, newTaskId, type Task } from '../tasks/task.ts';
import type { Tasks } from '../tasks/tasks.ts';
import type { ToolUse } from '../turn/brain.ts';
import { elicit } from './elicit.ts';
import { runShell } from './shell.ts';

/** What a tool did: `response` is what PostToolUse carries, `text` what the model reads. */
export type ToolOutcome =
  | {
      ok: true;
      response: unknown;
      text: string;
      /** What the model reads where it is more than text. */
      read?: unknown;
      /** The next message says nothing of it. */
      quiet?: boolean;
      /** What begins when PostToolUse was sent. */
      after?(): void;
    }
  | { ok: false; error: string };

const local = new Set(['Bash', 'Write', 'AskUserQuestion', 'ExitPlanMode', 'Agent', 'TaskStop', 'Elicit']);

/** The tools of the simulated Claude that its MCP servers have or that need nothing but this computer. */
export class ToolBox {
  readonly #cwd: string;
  readonly #env: NodeJS.ProcessEnv;
  readonly #servers: ReadonlyMap<string, McpServer>;
  readonly #mcpBackgroundMs: number;
  readonly #screen: Pick<Screen, 'openDialog'>;

  /** @param mcpBackgroundMs how long a turn waits for an MCP call; 0: until it is done */
  constructor(
    cwd: string,
    env: NodeJS.ProcessEnv,
    servers: ReadonlyMap<string, McpServer>,
    mcpBackgroundMs: number,
    screen: Pick<Screen, 'openDialog'>,
  ) {
    this.#screen = screen;
    this.#cwd = cwd;
    this.#env = env;
    this.#servers = servers;
    this.#mcpBackgroundMs = mcpBackgroundMs;
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

  /** Runs a call; what goes on in the background afterwards stands in `tasks`. */
  async run(call: ToolUse, toolUseId: string, signal: AbortSignal, tasks: Tasks): Promise<ToolOutcome> {
    try {
      switch (call.name) {
        case 'Bash':
          if (call.input.run_in_background === true) return this.#leave(call.input, toolUseId, tasks);
          return await this.#bash(String(call.input.command ?? ''), signal);
        case 'Write':
          return this.#write(String(call.input.file_path ?? ''), String(call.input.content ?? ''));
        case 'Elicit':
          return await elicit(call.input, signal, this.#screen);
        case 'AskUserQuestion':
          return answered(call.input);
        case 'ExitPlanMode':
          return {
            ok: true,
            response: { plan: call.input.plan ?? '', isAgent: false },
            text: 'Plan approved.',
          };
        default:
          return await this.#mcp(call, toolUseId, signal, tasks);
      }
    } catch (error) {
      return failure(error);
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

  /** A command that goes on in the background, whatever becomes of the turn. */
  #leave(input: Record<string, unknown>, toolUse: string, tasks: Tasks): ToolOutcome {
    const id = newTaskId('shell');
    const command = String(input.command ?? '');
    const description = String(input.description ?? command);
    const task: Task = { id, type: 'shell', description, command, toolUse, outputFile: tasks.outputFile(id) };
    tasks.begin(task);
    void this.#bash(command, tasks.signal)
      .catch(failure)
      .then((outcome) => tasks.end(task, endingOf(outcome)));
    const response = { stdout: '', stderr: '', interrupted: false, backgroundTaskId: id };
    return { ok: true, response, text: `Command running in background with ID: ${id}.` };
  }

  async #mcp(call: ToolUse, toolUse: string, signal: AbortSignal, tasks: Tasks): Promise<ToolOutcome> {
    const { server, tool } = this.#find(call.name);
    if (!server) return { ok: false, error: `No such tool available: ${call.name}` };
    const own = new AbortController();
    const cancel = () => own.abort();
    signal.addEventListener('abort', cancel, { once: true });
    const done = server.call(tool, call.input, toolUse, own.signal).then(outcomeOf, failure);
    const outcome = await withinMs(done, this.#mcpBackgroundMs);
    // From here on the turn no longer owns the call: Esc does not cancel it.
    signal.removeEventListener('abort', cancel);
    if (outcome) return outcome;
    const id = newTaskId('MCP task');
    const task: Task = {
      id,
      type: 'MCP task',
      description: `${server.name}/${tool}`,
      server: server.name,
      tool,
    };
    tasks.begin(task);
    void done.then((late) => tasks.end(task, endingOf(late)));
    const text = movedToBackground(task, this.#mcpBackgroundMs);
    return { ok: true, response: [{ type: 'text', text }], read: [{ type: 'text', text }], text };
  }

  #find(name: string): { server: McpServer | undefined; tool: string } {
    const [, server = '', tool = ''] = /^mcp__(.+?)__(.+)$/.exec(name) ?? [];
    return { server: this.#servers.get(server), tool };
  }
}

/** @returns undefined when it takes longer; with 0 it never does */
async function withinMs<T>(promise: Promise<T>, ms: number): Promise<T | undefined> {
  if (ms === 0) return promise;
  const waiting = new AbortController();
  const late = sleep(ms, undefined, { signal: waiting.signal }).catch(() => undefined);
  return Promise.race([promise, late]).finally(() => waiting.abort());
}

const failure = (error: unknown): ToolOutcome => ({
  ok: false,
  error: error instanceof Error ? error.message : String(error),
});

const endingOf = (outcome: ToolOutcome): Ending =>
  outcome.ok ? { status: 'completed', result: outcome.text } : { status: 'failed', result: outcome.error };

/** The model reads the structure alone where there is one, unless it is an error (measured on 2.1.330). */
function outcomeOf({ content, structuredContent: structure, isError }: CallResult): ToolOutcome {
  const text = content.map(textOf).join('\n');
  if (isError) return { ok: false, error: text };
  return { ok: true, response: content, read: content, text: structure ? JSON.stringify(structure) : text };
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
