// The little language that steers the simulated Claude: `[[name]]` or `[[name:argument]]` inside ordinary text.

/** Ordinary text, or one command with its raw argument. */
export type Piece = { kind: 'text'; text: string } | { kind: 'command'; name: string; argument: string };

/** What a command understands. Anything else in double brackets is ordinary text (OpenClaw has tags of its own). */
const commandNames = [
  'say',
  'lines',
  'long',
  'tool',
  'tools',
  'bash',
  'write',
  'ask',
  'plan',
  'fail',
  'hang',
  'silent',
  'exit',
  'empty',
  'wait',
  'bg',
  'recall',
  'context',
  'system',
] as const;

const opening = new RegExp(`\\[\\[(${commandNames.join('|')})(?=:|\\]\\])`);

/** Cuts a text into its commands and what stands between them. */
export function readPieces(text: string): Piece[] {
  const pieces: Piece[] = [];
  let rest = text;
  for (;;) {
    const start = opening.exec(rest);
    const name = start?.[1];
    if (!start || !name) break;
    const from = start.index + start[0].length;
    const end = closing(rest, from);
    if (end === undefined) break;
    if (start.index > 0) pieces.push({ kind: 'text', text: rest.slice(0, start.index) });
    pieces.push({ kind: 'command', name, argument: rest.slice(from, end).replace(/^:/, '') });
    rest = rest.slice(end + 2);
  }
  if (rest !== '') pieces.push({ kind: 'text', text: rest });
  return pieces;
}

/** The end of a command: the first `]]` outside of any JSON object that its argument holds. */
function closing(text: string, from: number): number | undefined {
  let at = from;
  while (at < text.length) {
    if (text.startsWith(']]', at)) return at;
    const end = text[at] === '{' ? endOfObject(text, at) : undefined;
    at = end ?? at + 1;
  }
  return undefined;
}

/** The index behind the JSON object that starts at `from`, or undefined when it never closes. */
export function endOfObject(text: string, from: number): number | undefined {
  let depth = 0;
  let inString = false;
  for (let at = from; at < text.length; at += 1) {
    const char = text[at];
    if (inString) {
      if (char === '\\') at += 1;
      else if (char === '"') inString = false;
    } else if (char === '"') inString = true;
    else if (char === '{') depth += 1;
    else if (char === '}') {
      depth -= 1;
      if (depth === 0) return at + 1;
    }
  }
  return undefined;
}
