import { randomUUID } from 'node:crypto';
import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { z } from 'zod';

const Entry = z.looseObject({
  type: z.string(),
  uuid: z.string().optional(),
  parentUuid: z.string().nullable().optional(),
  message: z.looseObject({ role: z.string(), content: z.unknown() }).optional(),
  promptSource: z.string().optional(),
  customTitle: z.string().optional(),
  systemPrompt: z.string().optional(),
});
type Entry = z.infer<typeof Entry>;

/** What a resumed session knows again. */
export interface History {
  /** Prompts of this conversation, oldest first; tool results and interrupt notes are left out. */
  prompts: string[];
  /** The appended system prompt of the conversation's first request. */
  systemPrompt: string | undefined;
  leaf: string | null;
}

export const noHistory: History = { prompts: [], systemPrompt: undefined, leaf: null };

/** Where Claude Code keeps its state: `$CLAUDE_CONFIG_DIR`, else `~/.claude`. */
export function configDir(env: NodeJS.ProcessEnv): string {
  return env.CLAUDE_CONFIG_DIR ?? join(env.HOME ?? '/', '.claude');
}

/** The transcript file of a session: every non-alphanumeric character of `cwd` becomes `-` (measured on 2.1.329). */
export function transcriptPath(env: NodeJS.ProcessEnv, cwd: string, sessionId: string): string {
  return join(configDir(env), 'projects', cwd.replace(/[^A-Za-z0-9]/g, '-'), `${sessionId}.jsonl`);
}

/** Finds a session's transcript by id (in any folder) or by its `--name`. */
export function findTranscript(
  env: NodeJS.ProcessEnv,
  idOrName: string,
): { path: string; sessionId: string } | undefined {
  const projects = join(configDir(env), 'projects');
  if (!existsSync(projects)) return undefined;
  const files = readdirSync(projects, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.jsonl'))
    .map((name) => ({ path: join(projects, name), sessionId: name.replace(/^.*\//, '').slice(0, -6) }));
  return (
    files.find(({ sessionId }) => sessionId === idOrName) ??
    files.find(({ path }) => readEntries(path).some((entry) => entry.customTitle === idOrName))
  );
}

/** Reads a transcript back: the chain of parents from the last entry, so that of two branches one counts. */
export function readHistory(path: string): History {
  const entries = readEntries(path);
  const byId = new Map(entries.map((entry) => [entry.uuid, entry]));
  const leaf = entries.findLast((entry) => entry.uuid !== undefined);
  const prompts: string[] = [];
  for (let at = leaf; at; at = byId.get(at.parentUuid ?? undefined)) {
    if (at.type === 'user' && at.promptSource !== undefined)
      prompts.unshift(String(at.message?.content ?? ''));
    if (at.parentUuid === null) break;
  }
  return {
    prompts,
    systemPrompt: entries.find((entry) => entry.systemPrompt !== undefined)?.systemPrompt,
    leaf: leaf?.uuid ?? null,
  };
}

function readEntries(path: string): Entry[] {
  if (!existsSync(path)) return [];
  return readFileSync(path, 'utf8')
    .split('\n')
    .flatMap((line) => {
      try {
        const parsed = Entry.safeParse(JSON.parse(line));
        return parsed.success ? [parsed.data] : [];
      } catch {
        return []; // a torn last line is what a killed process leaves
      }
    });
}

/** Appends to one session's file. The file exists only after the first prompt, as with the real program. */
export class Transcript {
  readonly path: string;
  readonly #sessionId: string;
  readonly #cwd: string;
  readonly #agentId: string | undefined;
  #leaf: string | null;
  #preamble: Record<string, unknown>[] = [];
  #inherited: string[] = [];

  /** @param agentId the subagent whose side chain it is */
  constructor(path: string, sessionId: string, cwd: string, leaf: string | null, agentId?: string) {
    this.path = path;
    this.#sessionId = sessionId;
    this.#cwd = cwd;
    this.#leaf = leaf;
    this.#agentId = agentId;
  }

  get started(): boolean {
    return existsSync(this.path);
  }

  /** Facts to write in front of the first prompt: the session's name, its system prompt. */
  announce(facts: Record<string, unknown>): void {
    this.#preamble.push(facts);
  }

  /** A prompt of the conversation this one was forked from. */
  inherit(text: string): void {
    this.#inherited.push(text);
  }

  /** @returns a function that takes the prompt out of the conversation again. */
  prompt(text: string, promptId: string, source: 'typed' | 'channel' | 'queued' | 'system'): () => void {
    this.#takeInherited();
    const parent = this.#leaf;
    this.#append('user', { role: 'user', content: text }, { promptId, promptSource: source });
    return () => {
      this.#leaf = parent;
    };
  }

  assistant(content: unknown[], promptId: string): void {
    this.#append('assistant', { role: 'assistant', content }, { promptId });
  }

  /** Tool results and interrupt notes travel as user messages. */
  note(content: unknown, promptId: string, more: Record<string, unknown> = {}): void {
    this.#append('user', { role: 'user', content }, { promptId, ...more });
  }

  /** A hook refused the prompt (measured on 2.1.332). */
  refused(prompt: string, reason: string): void {
    const content = `UserPromptSubmit operation blocked by hook:\n${reason}\n\nOriginal prompt: ${prompt}`;
    const promptSubmitEnding = { ending: { kind: 'blocked_by_hook', reason }, promptKept: false };
    this.#append('system', undefined, { subtype: 'informational', content, promptSubmitEnding });
  }

  /** Stands once behind every turn that was completed. */
  turnDuration(durationMs: number): void {
    this.#append('system', undefined, { subtype: 'turn_duration', durationMs });
  }

  /** The side chain of an agent, in the folder of the session. */
  ofAgent(agentId: string): Transcript {
    const folder = join(this.path.slice(0, -'.jsonl'.length), 'subagents');
    const path = join(folder, `agent-${agentId}.jsonl`);
    return new Transcript(path, this.#sessionId, this.#cwd, null, agentId);
  }

  /** The first entry of a fork hangs on copies of what it inherited. */
  #takeInherited(): void {
    const inherited = this.#inherited;
    this.#inherited = [];
    if (inherited.length > 0) this.#leaf = null;
    for (const text of inherited)
      this.#append('user', { role: 'user', content: text }, { promptSource: 'typed' });
  }

  #append(type: string, message: unknown, more: Record<string, unknown>): void {
    const uuid = randomUUID();
    const entry = {
      parentUuid: this.#leaf,
      isSidechain: this.#agentId !== undefined,
      ...(this.#agentId === undefined ? {} : { agentId: this.#agentId }),
      type,
      message,
      uuid,
      timestamp: new Date().toISOString(),
      cwd: this.#cwd,
      sessionId: this.#sessionId,
      ...more,
    };
    mkdirSync(dirname(this.path), { recursive: true });
    const lines = [...this.#preamble.map((facts) => ({ ...facts, sessionId: this.#sessionId })), entry];
    this.#preamble = [];
    appendFileSync(this.path, lines.map((line) => `${JSON.stringify(line)}\n`).join(''), { mode: 0o600 });
    this.#leaf = uuid;
  }
}
