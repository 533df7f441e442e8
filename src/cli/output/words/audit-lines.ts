// One entry of the audit for a person: what was asked, then who asked, who answered and what came of it.
import type { AuditDeed, AuditEntry, AuditQuestion } from '../../../domain/views/audit/audit-entry.ts';
import { agentText } from '../../../domain/views/words/message-words.ts';
import { mostCells } from '../../text/sure.ts';
import { wrapWords } from '../../text/wrap-words.ts';
import { safeLine } from '../safe.ts';

/** Longest beginning of an input or a text, characters; `--json` has all of it. */
const headLength = 200;

const head = (text: string): string => {
  const line = safeLine(text).trim();
  if (line.length <= headLength) return line;
  return `${line.slice(0, headLength).toWellFormed()}… (${line.length - headLength} more characters: --json)`;
};

const clock = (iso: string) => new Date(iso).toTimeString().slice(0, 8);
const day = (iso: string) => {
  const at = new Date(iso);
  const two = (part: number) => String(part).padStart(2, '0');
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
};

/** Wrapped at `columns`; a word that is longer stays whole. */
export function auditLines(entry: AuditEntry, columns = Number.POSITIVE_INFINITY): string {
  const [first = '', ...more] = entry.kind === 'deed' ? [deedWords(entry)] : questionWords(entry);
  const at = entry.kind === 'deed' ? entry.at : entry.asked_at;
  const lines = [
    `${day(at)} ${clock(at)}  ${safeLine(entry.session)}  ${first}`,
    ...more.map((line) => `    ${line}`),
  ];
  return lines
    .flatMap((line) => {
      if (mostCells(line) <= columns) return [line];
      const [begin = '', ...rest] = wrapWords(line, columns - 4);
      return [begin, ...rest.map((part) => `      ${part}`)];
    })
    .join('\n');
}

function questionWords(question: AuditQuestion): string[] {
  const { code, tool, input, cut, asked_by: by, agent, answer } = question;
  const askedBy = agent ? `, by ${safeLine(agentText(agent))}` : '';
  const short = cut ? ' (only a preview was known)' : '';
  return [
    `${safeLine(code)}  ${safeLine(tool)}  ${head(inputText(input))}${short}`,
    `asked for ${by ? `${by.door}${person(by.id, by.name)}` : 'nobody known'}${askedBy}`,
    answer ? answerWords(answer) : unansweredWords(question),
    ranWords(question),
  ];
}

/** That the bridge knows of no answer does not mean that there was none. */
const unansweredWords = ({ ran_state: state }: AuditQuestion): string =>
  state === 'ran' ? 'answered elsewhere: no answer went through the bridge' : 'no answer is known';

/** Never more than there is evidence of. */
function ranWords(question: AuditQuestion): string {
  const { ran_state: state, ran_evidence: evidence, ran, outcome } = question;
  const closed = outcome ? ` (${outcome.what}${outcome.detail ? `: ${head(outcome.detail)}` : ''})` : '';
  switch (state) {
    case 'ran':
      return ran && ran.result !== 'started'
        ? `${ran.result} at ${clock(ran.at)}`
        : 'ran; how it ended is not known';
    case 'not_run':
      return `did not run: ${evidence ?? ''}`;
    case 'unknown':
      return `not known whether it ran${ran ? begunWords(ran) : closed}`;
    case null:
      return outcome?.what === 'applied'
        ? "the answer was given in Claude's terminal"
        : `not known to have been answered in Claude's terminal${closed}`;
    default:
      return state satisfies never;
  }
}

const begunWords = ({ at, output }: NonNullable<AuditQuestion['ran']>): string =>
  ` (begun at ${clock(at)}, end not heard of${output === null ? '' : `: ${head(output)}`})`;

const person = (id: string | null, name: string | null): string => {
  const label = name === null ? '' : ` (${head(name)})`;
  return id === null ? label : ` ${head(id)}${label}`;
};

function answerWords(answer: NonNullable<AuditQuestion['answer']>): string {
  const { verdict, by, who, reason, scope, shown, at } = answer;
  const done = verdict === 'allow' ? `allowed ${scope === 'session' ? 'for the session' : 'once'}` : 'denied';
  const person = who === null ? '' : `, ${head(who)}`;
  const why = reason === null ? '' : `: ${head(reason)}`;
  return `${done} by ${by}${person} at ${clock(at)}${shown === null ? '' : `, shown ${safeLine(shown)}`}${why}`;
}

/** A command or a path says more than its JSON. */
function inputText(input: unknown): string {
  if (typeof input !== 'object' || input === null) return String(input ?? '');
  for (const key of ['command', 'file_path', 'url']) {
    const value: unknown = Object.hasOwn(input, key) ? Reflect.get(input, key) : undefined;
    if (typeof value === 'string') return value;
  }
  return JSON.stringify(input);
}

const deeds: Record<AuditDeed['what'], string> = {
  typed: "somebody typed into Claude's terminal",
  drives: "took the keyboard of Claude's terminal",
  drove: "the keyboard of Claude's terminal was given back",
  interrupted: 'the turn was interrupted',
  wanted: 'Claude Code was asked to run',
  stopped: 'Claude Code was stopped',
  removed: 'the session was removed',
  forgotten: 'what a removed session said was deleted',
  guessed: 'a wrong code was tried',
};

function deedWords({ what, by, detail }: AuditDeed): string {
  const who = by === null ? '' : ` by ${head(by)}`;
  return `${deeds[what]}${who}${detail === null ? '' : `: ${head(detail)}`}`;
}
