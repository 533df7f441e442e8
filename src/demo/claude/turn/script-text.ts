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
  // [[elicit:WORDS|OPTION|OPTION]]: a tool whose question no hook tells; without options it is accepted or declined.
  'elicit',
  'fail',
  'hang',
  'silent',
  'exit',
  'empty',
  'wait',
  'bg',
  // [[agent:NAME|SCRIPT]]: an agent in the background; SCRIPT holds commands of its own.
  'agent',
  // [[then:SCRIPT]], at the end of an agent's script: its result is SCRIPT, so the turn that is told of it does it.
  'then',
  'recall',
  'context',
  'system',
] as const;

/** In these, commands are not done but handed on. */
const nesting: ReadonlySet<string> = new Set(['agent', 'then']);

const opening = new RegExp(`\\[\\[(${commandNames.join('|')})(?=:|\\]\\])`);
const openingHere = new RegExp(opening.source, 'y');

/** Cuts a text into its commands and what stands between them. */
export function readPieces(text: string): Piece[] {
  const pieces: Piece[] = [];
  let rest = text;
  for (;;) {
    const start = opening.exec(rest);
    const name = start?.[1];
    if (!start || !name) break;
    const from = start.index + start[0].length;
    const end = closing(rest, from, nesting.has(name));
    if (end === undefined) break;
    if (start.index > 0) pieces.push({ kind: 'text', text: rest.slice(0, start.index) });
    pieces.push({ kind: 'command', name, argument: rest.slice(from, end).replace(/^:/, '') });
    rest = rest.slice(end + 2);
  }
  if (rest !== '') pieces.push({ kind: 'text', text: rest });
  return pieces;
}

/** The end of a command: the first `]]` outside of any JSON object, or command, that its argument holds. */
function closing(text: string, from: number, nests: boolean): number | undefined {
  let at = from;
  while (at < text.length) {
    if (text.startsWith(']]', at)) return at;
    const end = text[at] === '{' ? endOfObject(text, at) : nests ? endOfCommand(text, at) : undefined;
    at = end ?? at + 1;
  }
  return undefined;
}

/** The index behind the command that starts at `from`, or undefined when none does or it never closes. */
function endOfCommand(text: string, from: number): number | undefined {
  openingHere.lastIndex = from;
  const start = openingHere.exec(text);
  if (!start?.[1]) return undefined;
  const end = closing(text, from + start[0].length, nesting.has(start[1]));
  return end === undefined ? undefined : end + 2;
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
