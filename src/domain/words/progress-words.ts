// Lines about what Claude does while it writes nothing. No note of ours and no question looks like one: each begins with
// a bracket and "ran" or "running", and whatever Claude, a file or a provider of tools says in it is between quotation
// marks, of which it can have none.
import { type Dialect, inline } from '../question/dialect.ts';
import { shortLine } from '../question/short-line.ts';
import type { Task } from '../state/task.ts';
import { subjectOf } from './tool-subject.ts';

/** One tool use as the journal tells it. */
export interface ToolUse {
  tool: string;
  /** Unknown when nobody saw how it began. */
  input?: unknown;
  /** How far it is, as whoever runs it says. */
  says?: string;
}

/** Longest subject shown, characters. What cannot be seen is written out, which may make it longer. */
const longestSubject = 60;
const longestName = 80;
/** Agents are named where several stand in one line. */
const longestTitle = 40;
const namedAgents = 3;

/** What uses one behind the other come to: how many, how long together, and the longest of them. */
export interface Work {
  count: number;
  /** Milliseconds. */
  ms: number;
  longest: ToolUse & { ms: number };
}

/** Said once it is over: `(ran Bash "npm test", 42 s)`, `(ran 12 tools, 3 min; longest: Bash "npm test", 42 s)`. */
export function workWords({ count, ms, longest }: Work, dialect: Dialect): string {
  const one = `${use(longest, dialect)}, ${duration(longest.ms)}`;
  return aside(count === 1 ? `ran ${one}` : `ran ${count} tools, ${duration(ms)}; longest: ${one}`, dialect);
}

/** Said meanwhile: `(running notes_index "/vault": 30 of 100, after 2 other tools)`. @param before uses of the same work that are over */
export function runningWords(running: ToolUse, before: number, dialect: Dialect): string {
  const others = before === 0 ? '' : `, after ${before} other tool${before === 1 ? '' : 's'}`;
  return aside(`running ${use(running, dialect)}${far(running, dialect)}${others}`, dialect);
}

/** Said while no tool runs: `(running 2 agents: "tests" (Bash), "docs")`. @param agents at least one */
export function agentsWords(agents: readonly Pick<Task, 'title' | 'doing'>[], dialect: Dialect): string {
  const named = agents.slice(0, namedAgents).map(({ title = 'unnamed', doing }) => {
    const tool = doing === undefined ? '' : ` (${inline(shortLine(doing, longestName), dialect)})`;
    return `"${inline(shortLine(title, longestTitle), dialect)}"${tool}`;
  });
  const more = agents.length - named.length;
  const all = [...named, ...(more > 0 ? [`${more} more`] : [])].join(', ');
  return aside(`running ${agents.length === 1 ? '1 agent' : `${agents.length} agents`}: ${all}`, dialect);
}

/** Numbers, which say nothing else. */
const count = /^\d{1,16}(?: of \d{1,16}| so far| %)$/;

function far({ says = '' }: ToolUse, dialect: Dialect): string {
  if (count.test(says)) return `: ${says}`;
  const words = shortLine(says, longestSubject);
  return words === '' ? '' : `: "${inline(words, dialect)}"`;
}

const aside = (words: string, dialect: Dialect): string =>
  dialect === 'markdown' ? `_(${words})_` : `(${words})`;

function use({ tool, input }: ToolUse, dialect: Dialect): string {
  const name = inline(shortLine(tool, longestName), dialect);
  const subject = shortLine(subjectOf(input), longestSubject);
  return subject === '' ? name : `${name} "${inline(subject, dialect)}"`;
}

/** `42 s`, `3 min`, `1 h 20 min`. */
function duration(ms: number): string {
  const seconds = Math.round(ms / 1000);
  if (seconds < 100) return `${seconds} s`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 60) return `${minutes} min`;
  const rest = minutes % 60;
  return rest === 0 ? `${minutes / 60} h` : `${Math.floor(minutes / 60)} h ${rest} min`;
}
