// A permission question, whole: what is allowed here is what was read here.
import { wantsAnswer } from '../../../domain/question/answer-words.ts';
import { isDialog } from '../../../domain/question/dialog-question.ts';
import { outcomeText } from '../../../domain/question/outcome.ts';
import { type Picture, pictureOf } from '../../../domain/question/picture.ts';
import { sessionRuleTexts } from '../../../domain/question/session-scope.ts';
import { shortLine } from '../../../domain/question/short-line.ts';
import { whereTheRestIs } from '../../../domain/question/whole-text.ts';
import type { Ask, AskingAgent } from '../../../domain/state/session.ts';
import { safe, safeLine } from '../../output/safe.ts';
import { duration } from '../../sessions/words.ts';
import { foldLine, foldProse } from '../../text/fold-line.ts';
import { ruler } from '../../text/width.ts';
import { wrap } from '../../text/wrap.ts';
import { changeOf } from '../diff/change.ts';
import type { AskOverlay, Model } from '../model/model.ts';
import { findAsk } from '../model/rows.ts';
import { onNode } from '../nodes/nodes.ts';
import { blank, type Line, line, span, type Tone } from '../text/line.ts';
import { keyRow } from './foot.ts';
import type { Sheet } from './sheet.ts';

export function askSheet(model: Model, { code, armed }: AskOverlay, cells: number): Sheet {
  const found = findAsk(model, code);
  const titled = (name: string): Line => [span(`${name} `, 'strong'), span(code, 'warn')];
  const title = titled(found ? names[pictureOf(found.ask).kind] : 'Permission');
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
    ...(ask.agent ? [[span('agent    ', 'dim'), span(agentTitle(ask.agent))]] : []),
    [span('session  ', 'dim'), span(safeLine(session)), span(onNode(model, session), 'dim')],
    open
      ? [
          span('expires  ', 'dim'),
          span(
            `in ${left}, ${isDialog(ask) ? 'and then it is not asked any more' : 'and then the answer is no'}`,
          ),
        ]
      : [span('outcome  ', 'dim'), span(safeLine(outcomeText(ask).replaceAll('`', '')), 'strong')],
  ];
  const picture = pictureOf(ask);
  if (picture.why !== undefined)
    head.push(...wrap(`because  ${picture.why}`, cells - 3).map((each) => line(each, 'dim')));
  return {
    title,
    lines: [...head, blank, ...bodyLines(picture, cells), ...sessionLines(ask, cells)],
    foot: open ? footOf(ask, armed) : keyRow(['Esc', 'close']),
  };
}

const agentTitle = ({ title }: AskingAgent): string => shortLine(title ?? '', 60) || 'unnamed';

const names: Record<Picture['kind'], string> = {
  permission: 'Permission',
  choice: 'Question',
  dialog: 'Dialog',
  plan: 'Plan',
};

export const isQuestion = (ask: Ask): boolean => wantsAnswer(ask);

/** What `s` would allow besides, one line each; empty where it is not offered. */
const sessionRulesOf = (ask: Ask): string[] =>
  ask.cut || isQuestion(ask) ? [] : sessionRuleTexts(ask.suggestions);

export const hasSessionRules = (ask: Ask): boolean => sessionRulesOf(ask).length > 0;

/** Allowing takes a key that no word has in it: whoever types believing to be elsewhere allows nothing. */
function footOf(ask: Ask, armed: 'once' | 'session' | undefined): Line {
  if (armed) {
    const words =
      armed === 'once' ? 'Allow it this once?' : 'Allow it, and the rest of this session as above?';
    return [span(`${words}  `, 'warn'), ...keyRow(['Ctrl-Y', 'yes'], ['any other key', 'no'])];
  }
  if (isQuestion(ask))
    return keyRow(['1-9', 'an option'], ['a', 'answer'], ['d', 'decline'], ['Esc', 'close']);
  const longer: [string, string][] = hasSessionRules(ask) ? [['s', 'allow for this session']] : [];
  const view: [string, string][] = !ask.cut && changeOf(ask.tool, ask.input) ? [['v', 'as a diff']] : [];
  const plan = pictureOf(ask).kind === 'plan';
  return keyRow(
    ['a', plan ? 'carry it out' : 'allow once'],
    ...longer,
    ...view,
    ['d', 'deny'],
    ['Esc', 'close'],
  );
}

/** Foreign text behind a bar: nothing in it can pass for a part of the screen, and no blank of it is lost. */
function bodyLines({ body, kind, missing }: Picture, cells: number): Line[] {
  if (body === '') return [line('The plan is in what Claude wrote: see its transcript.', 'dim')];
  const [tone, fold]: [Tone, typeof foldLine] =
    kind === 'permission' ? ['strong', foldLine] : ['plain', foldProse];
  const rows = safe(body)
    .replaceAll('\t', '  ')
    .split('\n')
    .flatMap((each) =>
      fold(each, cells - 5, ruler).map(
        (row, at): Line => [span(at === 0 ? '│ ' : '┊ ', 'warn'), span(row, tone)],
      ),
    );
  if (missing === undefined) return rows;
  const where = missing === 'unknown' ? "look at Claude's own screen (t)" : whereTheRestIs(missing);
  const words = wrap(`This is only the beginning: ${where}.`, cells - 3);
  return [...rows, blank, ...words.map((each) => line(each, 'warn'))];
}

function sessionLines(ask: Ask, cells: number): Line[] {
  const rules = sessionRulesOf(ask);
  if (rules.length === 0) return [];
  const rows = rules.flatMap((rule) => wrap(rule, cells - 5)).map((each): Line => [span('  '), span(each)]);
  return [blank, line('s allows for the rest of this session, too:', 'dim'), ...rows];
}
