import { randomUUID } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { transcriptOf } from '../settings/identity.ts';
import type { Memory } from './brain.ts';
import { type History, noHistory, Transcript } from './transcript.ts';

/** One session id with its transcript and what was said so far. `/clear` starts the next one. */
export class Conversation {
  readonly sessionId: string;
  readonly transcript: Transcript;
  readonly systemPrompt: string | undefined;
  /** The newest prompt of the main thread, also when its turn is over. */
  promptId: string | undefined;
  /** What the last turn said. */
  lastText = '';
  readonly #prompts: string[];
  readonly #cwd: string;

  constructor(
    place: { env: NodeJS.ProcessEnv; cwd: string; name: string | undefined },
    facts: { sessionId: string; history: History; systemPrompt: string | undefined },
  ) {
    this.sessionId = facts.sessionId;
    this.systemPrompt = facts.systemPrompt;
    this.#prompts = [...facts.history.prompts];
    this.#cwd = place.cwd;
    const path = transcriptOf(place.env, place.cwd, facts.sessionId);
    this.transcript = new Transcript(path, facts.sessionId, place.cwd, facts.history.leaf);
    if (this.transcript.started) return;
    if (place.name !== undefined) this.transcript.announce({ type: 'custom-title', customTitle: place.name });
    if (facts.systemPrompt !== undefined)
      this.transcript.announce({ type: 'prompt-snapshot', systemPrompt: facts.systemPrompt });
    // A fork carries the history of the conversation it comes from.
    for (const prompt of facts.history.prompts) this.transcript.inherit(prompt);
  }

  /** The conversation after `/clear`: a new id, the same system prompt, nothing remembered. */
  cleared(place: { env: NodeJS.ProcessEnv; cwd: string; name: string | undefined }): Conversation {
    return new Conversation(place, {
      sessionId: randomUUID(),
      history: noHistory,
      systemPrompt: this.systemPrompt,
    });
  }

  /** Fields that every hook carries. */
  fields(promptId?: string): Record<string, unknown> {
    return {
      session_id: this.sessionId,
      transcript_path: this.transcript.path,
      cwd: this.#cwd,
      ...(promptId === undefined ? {} : { prompt_id: promptId }),
    };
  }

  /** Where a background task's output would be read. */
  outputFile(taskId: string): string {
    const folder = this.#cwd.replace(/[^A-Za-z0-9]/g, '-');
    return join(
      tmpdir(),
      `claude-${process.getuid?.() ?? 0}`,
      folder,
      this.sessionId,
      'tasks',
      `${taskId}.output`,
    );
  }

  /** Takes a prompt into the conversation. @returns how to take it out again. */
  accept(text: string, promptId: string, source: 'typed' | 'channel' | 'queued' | 'system'): () => void {
    const at = this.#prompts.push(text) - 1;
    const withdraw = this.transcript.prompt(text, promptId, source);
    return () => {
      this.#prompts.splice(at, 1);
      withdraw();
    };
  }

  /** What is known while the newest prompt is answered. */
  memory(context: string[]): Memory {
    return { earlier: this.#prompts.slice(0, -1), context, systemPrompt: this.systemPrompt };
  }
}
