// A permission question in the words of a chat. Everything in it that Claude wrote is shown as text, whole or counted.
import { askedQuestions } from './asked-questions.ts';
import { excerpt, visible } from './safe-text.ts';
import type { Ask, Turn } from './session.ts';

/** Who may answer where the question is read. */
export type AnswerRoad = 'chat' | 'operator';

const fence = '```';

/** In a group nobody may answer before approvers are named, so the chat is not asked to. */
export function answerRoad(turn: Turn | undefined, approvers: readonly string[]): AnswerRoad {
  return turn?.meta.chat_type === 'group' && approvers.length === 0 ? 'operator' : 'chat';
}

export function questionText(ask: Ask, road: AnswerRoad = 'chat'): string {
  switch (ask.tool) {
    case 'AskUserQuestion':
      return `${askedText(ask)}\n${howToChoose(ask, road)}`;
    case 'ExitPlanMode':
      return `Claude has a plan and asks whether to carry it out:\n\n${planOf(ask)}\n\n${howToAnswer(ask, road)}`;
    default:
      return `${toolText(ask)}\n${howToAnswer(ask, road)}`;
  }
}

/**
 * What is asked, for a place that has a title and buttons of its own and shows no Markdown.
 *
 * @returns undefined when yes or no does not answer it, or when not all of it is known or shown
 */
export function cardText(ask: Ask): string | undefined {
  if (ask.tool === 'AskUserQuestion' || isCut(ask)) return undefined;
  if (ask.tool === 'ExitPlanMode') return planOf(ask);
  const why = ask.rationale ? `${oneLine(ask.rationale)}\n` : '';
  return `${why}${visible(inputText(ask.input))}`;
}

function toolText(ask: Ask): string {
  const { text, hidden } = excerpt(visible(inputText(ask.input)));
  // A fence inside the input must not end the block that shows it.
  const body = text.replaceAll(fence, "'''");
  const note = ask.cut
    ? '\n(This is only the beginning: the rest of the input is known to Claude Code alone.)'
    : hidden > 0
      ? `\n(${hidden} characters are not shown: look before you allow it.)`
      : '';
  const why = ask.rationale ? `\n${oneLine(ask.rationale)}` : '';
  return `Claude asks for permission to use **${oneLine(ask.tool)}**:${why}\n${fence}\n${body}\n${fence}${note}`;
}

function askedText(ask: Ask): string {
  const questions = askedQuestions(ask.input);
  if (questions.length === 0)
    return `Claude asks:\n${fence}\n${excerpt(visible(inputText(ask.input))).text}\n${fence}`;
  const blocks = questions.map(({ text, options, several }) => {
    const lines = options.map(({ label, description }, index) => {
      const about = description === '' ? '' : ` — ${oneLine(description)}`;
      return `${index + 1}. ${oneLine(label)}${about}`;
    });
    return [`Claude asks: ${oneLine(text)}${several ? ' (several may be chosen)' : ''}`, ...lines].join('\n');
  });
  return blocks.join('\n\n');
}

function planOf(ask: Ask): string {
  const plan =
    typeof ask.input === 'object' && ask.input !== null && 'plan' in ask.input ? ask.input.plan : undefined;
  if (typeof plan !== 'string' || plan === '') return '(the plan is in what Claude wrote above)';
  return excerpt(visible(plan)).text;
}

function howToAnswer({ code, cut }: Ask, road: AnswerRoad): string {
  if (road === 'operator')
    return `It waits for the operator: \`synthesis approve ${code}\` or \`synthesis deny ${code}\`.`;
  if (cut) return `Reply \`no ${code}\`, or let the operator look at Claude's terminal and answer there.`;
  return `Approve? Reply \`yes ${code}\` or \`no ${code}\`.`;
}

function howToChoose({ code, input }: Ask, road: AnswerRoad): string {
  if (road === 'operator') return `It waits for the operator: \`synthesis approve ${code} --answer "1"\`.`;
  const each = askedQuestions(input).length > 1 ? ', one answer per question separated by `;`' : '';
  return `Reply \`yes ${code} 1\` with the number or your own words${each}, or \`no ${code}\` to decline.`;
}

const oneLine = (text: string): string => visible(text.replace(/\s+/g, ' ').trim());

/** A command is shown as a command, everything else as its fields. */
export function inputText(input: unknown): string {
  if (typeof input === 'string') return input;
  if (
    typeof input === 'object' &&
    input !== null &&
    'command' in input &&
    typeof input.command === 'string'
  ) {
    const { command, ...others } = input;
    const rest = Object.entries(others).filter(([name]) => name !== 'description');
    return rest.length === 0
      ? command
      : `${command}\n${JSON.stringify(Object.fromEntries(rest), undefined, 2)}`;
  }
  return JSON.stringify(input, undefined, 2) ?? '';
}

/** True when a human could not see all of the input: such an answer never holds for longer than once. */
export function isCut(ask: Ask): boolean {
  return ask.cut || excerpt(visible(inputText(ask.input))).hidden > 0;
}
