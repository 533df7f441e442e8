// A permission question, whole: what is allowed here is what was read here.
import { askedQuestions } from '../../../domain/asked-questions.ts';
import { outcomeText } from '../../../domain/outcome.ts';
import { inputText, isCut } from '../../../domain/question.ts';
import { visible } from '../../../domain/safe-text.ts';
import type { Ask } from '../../../domain/session.ts';
import { safeLine } from '../../output/safe.ts';
import type { Model } from '../model.ts';
import { findAsk } from '../rows.ts';
import { duration } from '../session-words.ts';
import { blank, type Line, line, span } from '../text/line.ts';
import { wrap } from '../text/wrap.ts';
import { keyRow } from './foot.ts';
import type { Sheet } from './sheet.ts';

export function askSheet(model: Model, code: string, cells: number): Sheet {
  const found = findAsk(model, code);
  const title: Line = [span('Permission ', 'strong'), span(code, 'warn')];
  if (!found)
    return {
      title,
      lines: [line('This question is not known any more.', 'dim')],
      foot: keyRow(['Esc', 'close']),
    };
  const { ask, session } = found;
  const open = ask.state.name === 'asked';
  const left = duration(ask.expiresAt - model.now);
  const head: Line[] = [
    [span('tool     ', 'dim'), span(safeLine(ask.tool), 'tool')],
    [span('session  ', 'dim'), span(safeLine(session))],
    open
      ? [span('expires  ', 'dim'), span(`in ${left}, and then the answer is no`)]
      : [span('outcome  ', 'dim'), span(safeLine(outcomeText(ask).replaceAll('`', '')), 'strong')],
  ];
  if (ask.rationale) head.push([span('because  ', 'dim'), span(safeLine(visible(ask.rationale)))]);
  return {
    title,
    lines: [...head, blank, ...bodyLines(ask, cells)],
    foot: open ? footOf(ask) : keyRow(['Esc', 'close']),
  };
}

export const isQuestion = ({ tool }: Ask): boolean => tool === 'AskUserQuestion';

function footOf(ask: Ask): Line {
  if (isQuestion(ask)) return keyRow(['a', 'answer'], ['d', 'decline'], ['Esc', 'close']);
  const longer: [string, string][] = isCut(ask) ? [] : [['s', 'allow for this session']];
  return keyRow(['a', 'allow once'], ...longer, ['d', 'deny'], ['Esc', 'close']);
}

function bodyLines(ask: Ask, cells: number): Line[] {
  const questions = isQuestion(ask) ? askedQuestions(ask.input) : [];
  if (questions.length === 0) return barred(planOf(ask) ?? inputText(ask.input), cells);
  return questions.flatMap(({ text, options, several }) => [
    ...wrap(visible(text) + (several ? ' (several may be chosen)' : ''), cells - 3).map((each) =>
      line(each, 'strong'),
    ),
    ...options.flatMap(({ label, description }, at) =>
      wrap(
        `${at + 1}. ${visible(label)}${description === '' ? '' : ` — ${visible(description)}`}`,
        cells - 5,
      ).map((each): Line => [span('  '), span(each)]),
    ),
    blank,
  ]);
}

function planOf({ tool, input }: Ask): string | undefined {
  if (tool !== 'ExitPlanMode' || typeof input !== 'object' || input === null || !('plan' in input))
    return undefined;
  return typeof input.plan === 'string' ? input.plan : undefined;
}

/** Foreign text behind a bar: nothing in it can pass for a part of the screen. */
const barred = (text: string, cells: number): Line[] =>
  wrap(visible(text), cells - 4).map((each): Line => [span('│ ', 'warn'), span(each, 'strong')]);
