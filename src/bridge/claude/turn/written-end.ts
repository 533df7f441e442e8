// How a turn ended of which no hook told. Claude Code writes it into its transcript: up to 260 ms behind what it draws, and
// while agents still work (measured on 2.1.332). A form that is not known says nothing.
import { open } from 'node:fs/promises';
import { z } from 'zod';

/** `line`: Claude Code's name of the line that says so. */
export type WrittenEnd = { line: string } & (
  | {
      is: 'completed';
      /** Claude's last message. */
      last?: string;
    }
  /** In Claude's terminal. */
  | { is: 'interrupted' }
  /** As Claude Code words an error of its API. */
  | { is: 'failed'; detail: string }
  /** Another UserPromptSubmit hook of the user's did so: in its words. */
  | { is: 'refused'; reason: string }
);

/** Bytes at the end of a transcript: mostly the first will do, but one line may have a whole prompt or a picture in it. */
const tails = [64_000, 1_000_000];

const Line = z.object({
  type: z.string(),
  subtype: z.string().optional(),
  uuid: z.string().optional(),
  isSidechain: z.boolean().optional(),
  promptId: z.string().optional(),
  interruptedMessageId: z.string().optional(),
  isApiErrorMessage: z.boolean().optional(),
  content: z.string().optional().catch(undefined),
  message: z.object({ id: z.string().optional(), content: z.unknown() }).optional().catch(undefined),
  /** Since 2.1.332. */
  promptSubmitEnding: z
    .object({ ending: z.object({ reason: z.string().optional() }) })
    .optional()
    .catch(undefined),
});
type Line = z.infer<typeof Line>;

/**
 * Reads how the newest turn ended, if it has.
 *
 * @param path of a transcript
 * @param prompts of the turn in question: the end of another one is none of it
 */
export async function readEnd(path: string, prompts: readonly string[]): Promise<WrittenEnd | undefined> {
  for (const bytes of tails) {
    const end = endIn(newestFirst(await readTail(path, bytes)), prompts);
    if (end !== undefined) return end === 'open' ? undefined : end;
  }
  return undefined;
}

/**
 * @param lines newest first
 * @returns `open` when the turn is not known to have ended; undefined when these lines do not reach far enough back
 */
function endIn(lines: Iterable<Line>, prompts: readonly string[]): WrittenEnd | 'open' | undefined {
  /** The line that says that the turn is over. */
  let over: string | undefined;
  let last: { id: string | undefined; text: string } | undefined;
  let isError = false;
  let isBehind = true;
  for (const line of lines) {
    if (line.type === 'system') {
      const reason = isBehind ? reasonOf(line) : undefined;
      if (reason !== undefined && line.uuid !== undefined) return { is: 'refused', line: line.uuid, reason };
      if (isBehind && line.subtype === 'turn_duration') over ??= line.uuid;
    } else if (line.type === 'assistant') {
      if (over === undefined) return 'open';
      // With nothing behind it: Claude Code may go on after an error.
      if (isBehind) isError = line.isApiErrorMessage === true;
      isBehind = false;
      const { id } = line.message ?? {};
      // One message is several lines, one for each part of it.
      if (!last || (id !== undefined && last.id === id))
        last = { id, text: `${textOf(line)}${last?.text ?? ''}` };
    } else if (line.type === 'user') {
      if (line.promptId === undefined || !prompts.includes(line.promptId)) return 'open';
      if (over !== undefined && isError) return { is: 'failed', line: over, detail: last?.text ?? '' };
      if (over !== undefined) return { is: 'completed', line: over, ...(last && { last: last.text }) };
      if (line.interruptedMessageId === undefined || line.uuid === undefined) return 'open';
      return { is: 'interrupted', line: line.uuid };
    }
  }
  return undefined;
}

const Text = z.object({ type: z.literal('text'), text: z.string() });

function textOf({ message }: Line): string {
  const parts = Array.isArray(message?.content) ? message.content : [];
  return parts.map((part) => Text.safeParse(part).data?.text ?? '').join('');
}

const blocked = /^UserPromptSubmit operation blocked by hook:\n(.*?)\n\nOriginal prompt: /s;

function reasonOf({ content = '', promptSubmitEnding }: Line): string | undefined {
  const told = promptSubmitEnding?.ending.reason;
  if (told !== undefined) return told.trim();
  return blocked.exec(content)?.[1]?.trim();
}

function* newestFirst(tail: string): Generator<Line> {
  for (const text of tail.split('\n').reverse()) {
    const line = text === '' ? undefined : parse(text);
    if (line && line.isSidechain !== true) yield line;
  }
}

function parse(text: string): Line | undefined {
  try {
    return Line.safeParse(JSON.parse(text)).data;
  } catch {
    // Half written, or the middle of one.
    return undefined;
  }
}

/** What is not there says nothing. */
async function readTail(path: string, bytes: number): Promise<string> {
  try {
    await using file = await open(path);
    const { size } = await file.stat();
    const from = Math.max(0, size - bytes);
    const { buffer, bytesRead } = await file.read(Buffer.alloc(size - from), 0, size - from, from);
    return buffer.toString('utf8', 0, bytesRead);
  } catch {
    return '';
  }
}
