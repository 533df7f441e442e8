// Why Claude Code did not take up a prompt that it had: another UserPromptSubmit hook of the user's refused it. No hook says
// so; Claude Code writes it into its transcript.
import { open } from 'node:fs/promises';
import { z } from 'zod';

export interface Refusal {
  /** Claude Code's name of the line. */
  id: string;
  /** The hook's words. */
  reason: string;
}

/** The end of a transcript that is looked at: the line has the whole prompt in it. */
const tailBytes = 1_000_000;

const Line = z.object({
  type: z.string(),
  uuid: z.string().optional(),
  content: z.string().optional().catch(undefined),
  /** Since 2.1.332. */
  promptSubmitEnding: z
    .object({ ending: z.object({ reason: z.string().optional() }) })
    .optional()
    .catch(undefined),
});

/** Refused is what came last: nothing of a conversation stands behind it. @param path of a transcript */
export async function readRefusal(path: string): Promise<Refusal | undefined> {
  const lines = (await readTail(path)).split('\n').filter(Boolean);
  for (const text of lines.reverse()) {
    const line = parse(text);
    if (line?.type === 'user' || line?.type === 'assistant') return undefined;
    const reason = line && reasonOf(line);
    if (line?.uuid !== undefined && reason !== undefined) return { id: line.uuid, reason };
  }
  return undefined;
}

const blocked = /^UserPromptSubmit operation blocked by hook:\n(.*?)\n\nOriginal prompt: /s;

function reasonOf({ type, content = '', promptSubmitEnding }: z.infer<typeof Line>): string | undefined {
  if (type !== 'system') return undefined;
  const told = promptSubmitEnding?.ending.reason;
  if (told !== undefined) return told.trim();
  return blocked.exec(content)?.[1]?.trim();
}

function parse(text: string): z.infer<typeof Line> | undefined {
  try {
    return Line.safeParse(JSON.parse(text)).data;
  } catch {
    // Half written, or the middle of one.
    return undefined;
  }
}

/** What is not there says nothing. */
async function readTail(path: string): Promise<string> {
  try {
    await using file = await open(path);
    const { size } = await file.stat();
    const from = Math.max(0, size - tailBytes);
    const { buffer, bytesRead } = await file.read(Buffer.alloc(size - from), 0, size - from, from);
    return buffer.toString('utf8', 0, bytesRead);
  } catch {
    return '';
  }
}
