import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { findTranscript, type History, noHistory, readHistory, transcriptPath } from '../turn/transcript.ts';
import type { Flags } from './flags.ts';

/** Which conversation this process serves. */
export type Identity =
  | {
      ok: true;
      sessionId: string;
      source: 'startup' | 'resume';
      history: History;
      systemPrompt: string | undefined;
    }
  | { ok: false; message: string };

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const refuse = (message: string): Identity => ({ ok: false, message });

/** Finds or refuses the conversation the flags name, in the words of Claude Code 2.1.329. */
export function identify(flags: Flags, env: NodeJS.ProcessEnv): Identity {
  const { sessionId, resume, fork } = flags;
  if (sessionId !== undefined && !uuid.test(sessionId))
    return refuse('Error: Invalid session ID. Must be a valid UUID.');
  if (sessionId !== undefined && resume !== undefined && !fork)
    return refuse('Error: --session-id with --continue or --resume also needs --fork-session.');
  if (sessionId !== undefined && findTranscript(env, sessionId))
    return refuse(`Error: Session ID ${sessionId} is already in use.`);
  const prompt = appendedPrompt(flags);
  if (!prompt.ok) return refuse(prompt.message);
  if (resume === undefined) {
    const id = sessionId ?? randomUUID();
    return { ok: true, sessionId: id, source: 'startup', history: noHistory, systemPrompt: prompt.text };
  }
  const found = findTranscript(env, resume);
  if (!found) return refuse(`No conversation found with session ID: ${resume}`);
  const history = readHistory(found.path);
  const id = fork ? (sessionId ?? randomUUID()) : found.sessionId;
  // The appended system prompt is frozen at the conversation's first request.
  const systemPrompt = history.systemPrompt ?? prompt.text;
  return { ok: true, sessionId: id, source: 'resume', history, systemPrompt };
}

/** The transcript a session goes on writing to: the found one, wherever it lies, or a new one under `cwd`. */
export function transcriptOf(env: NodeJS.ProcessEnv, cwd: string, sessionId: string): string {
  return findTranscript(env, sessionId)?.path ?? transcriptPath(env, cwd, sessionId);
}

type Appended = { ok: true; text: string | undefined } | { ok: false; message: string };

function appendedPrompt({ appendSystemPrompt, appendSystemPromptFile }: Flags): Appended {
  if (appendSystemPromptFile === undefined) return { ok: true, text: appendSystemPrompt };
  if (!existsSync(appendSystemPromptFile))
    return { ok: false, message: `Error: Append system prompt file not found: ${appendSystemPromptFile}` };
  return { ok: true, text: readFileSync(appendSystemPromptFile, 'utf8') };
}
