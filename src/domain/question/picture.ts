// One picture of a question, from which every door draws: what runs is what this says, whole and to the letter.
import { hashId } from '../../base/digest.ts';
import type { Ask } from '../state/session.ts';
import { askedQuestions } from './asked-questions.ts';
import { dialogOf, dialogText } from './dialog-question.ts';
import { exact } from './exact.ts';

export interface Picture {
  kind: 'permission' | 'choice' | 'plan' | 'dialog';
  /** One line. */
  tool: string;
  /** Why Claude wants it, in its own words, which prove nothing: one line, perhaps cut. */
  why?: string;
  /** What would run or be chosen, all that is drawn of it; '' for a plan that stands in Claude's answer. */
  body: string;
  /** How many characters of it are not drawn, or that Claude Code alone knows the rest. Undefined for nothing. */
  missing?: number | 'unknown';
}

/** Longest reason that is shown, characters: it is not what runs. */
const longestWhy = 300;

type Asked = Pick<Ask, 'tool' | 'input' | 'rationale' | 'cut'>;

/** A question goes on, what it asks stays: each input is drawn once, as a long one takes its time. */
const drawn = new WeakMap<object, { asked: Asked; picture: Picture }>();

export function pictureOf(asked: Asked): Picture {
  const { input, tool, rationale, cut } = asked;
  const key = typeof input === 'object' && input !== null ? input : asked;
  const known = drawn.get(key);
  if (known?.asked.tool === tool && known.asked.rationale === rationale && known.asked.cut === cut) {
    return known.picture;
  }
  const picture = draw(asked);
  drawn.set(key, { asked, picture });
  return picture;
}

function draw({ tool, input, rationale, cut }: Asked): Picture {
  const kind = kindOf(tool, input);
  const why = rationale === undefined ? '' : reason(rationale);
  const name = exact(folded(tool));
  const dialog = dialogOf({ tool, input });
  const body = exact(dialog ? dialogText(dialog) : bodyOf(kind, input));
  const missing = name.missing + body.missing;
  return {
    kind,
    tool: name.text,
    ...(why !== '' && { why }),
    body: body.text,
    ...(cut ? { missing: 'unknown' as const } : missing > 0 && { missing }),
  };
}

/** Names what a verdict is about: 16 hex digits. Who allows something gives the one of what was shown to them. */
export function digestOf(ask: Asked): string {
  const { kind, tool, body, missing = false } = pictureOf(ask);
  return hashId(JSON.stringify([kind, tool, body, missing]));
}

function kindOf(tool: string, input: unknown): Picture['kind'] {
  if (tool === 'ExitPlanMode') return 'plan';
  if (dialogOf({ tool, input })) return 'dialog';
  return tool === 'AskUserQuestion' && askedQuestions(input).length > 0 ? 'choice' : 'permission';
}

function bodyOf(kind: Picture['kind'], input: unknown): string {
  switch (kind) {
    case 'choice':
      return choices(input);
    case 'plan':
      return planOf(input);
    case 'permission':
    case 'dialog':
      return inputText(input);
  }
}

function planOf(input: unknown): string {
  const plan = typeof input === 'object' && input !== null && 'plan' in input ? input.plan : undefined;
  return typeof plan === 'string' ? plan.trim() : '';
}

function choices(input: unknown): string {
  const blocks = askedQuestions(input).map(({ text, options, several }) => {
    const lines = options.map(({ label, description }, index) => {
      const about = description === '' ? '' : ` — ${folded(description)}`;
      return `${index + 1}. ${folded(label)}${about}`;
    });
    return [`${folded(text)}${several ? ' (several may be chosen)' : ''}`, ...lines].join('\n');
  });
  return blocks.join('\n\n');
}

/** A command is shown as a command, everything else as its fields. */
function inputText(input: unknown): string {
  if (typeof input === 'string') return input;
  if (
    typeof input === 'object' &&
    input !== null &&
    'command' in input &&
    typeof input.command === 'string'
  ) {
    // The description is the reason that Claude gives, and nothing that runs.
    const { command, description, ...others } = input as Record<string, unknown>;
    const rest =
      typeof description === 'string'
        ? others
        : { ...others, ...(description !== undefined && { description }) };
    return Object.keys(rest).length === 0
      ? String(command)
      : `${command}\n${JSON.stringify(rest, undefined, 2)}`;
  }
  return JSON.stringify(input, undefined, 2) ?? '';
}

function reason(text: string): string {
  const line = folded(text);
  const more = line.length - longestWhy;
  const { text: shown } = exact(line.slice(0, longestWhy));
  return more > 0 ? `${shown} … (${more} more characters)` : shown;
}

const folded = (text: string): string => text.replace(/\s+/g, ' ').trim();
