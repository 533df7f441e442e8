// A verdict given at the operator's own seat: command line or terminal screen.
import { unfitFor, wantsAnswer } from '../../../domain/question/answer-words.ts';
import { dialogOf } from '../../../domain/question/dialog-question.ts';
import { lateText } from '../../../domain/question/outcome.ts';
import { sessionRules } from '../../../domain/question/session-scope.ts';
import type { Ask, Session } from '../../../domain/state/session.ts';
import type { ControlMethods } from '../../../domain/views/control.ts';
import { type AskRow, askRow } from '../../../domain/views/session/ask-row.ts';
import type { Dispatcher } from '../dispatcher.ts';
import { OperatorError } from './operator-error.ts';

type Decide = ControlMethods['permission.decide'];

/** A question that waits, as whoever answers it has to see it. @throws OperatorError `no_such_code`, `already_answered` */
export function openAsk(dispatcher: Dispatcher, typed: string): AskRow {
  const { session, ask } = find(dispatcher.sessions(), typed);
  if (ask.state.name !== 'asked') throw tooLate(ask);
  return askRow(ask, session.key);
}

/** @throws OperatorError `no_such_code`, `bad_request`, `not_shown`, or `already_answered` with who was faster. */
export function decideAsk(dispatcher: Dispatcher, params: Decide['params'], who?: string): Decide['result'] {
  const { session, ask } = find(dispatcher.sessions(), params.code);
  refuseUnfit(ask, params);
  const { verdict, scope, shown, door = 'cli' } = params;
  const { code } = ask;
  const reason = params.answer ?? params.reason;
  const outcome = dispatcher.dispatch(session.key, {
    type: 'permission.decide',
    code,
    verdict,
    by: door,
    ...(who !== undefined && { who }),
    ...(reason !== undefined && { reason }),
    ...(scope !== undefined && { scope }),
    ...(shown !== undefined && { shown }),
  });
  if (outcome.ok) return { code, verdict, session: session.key, tool: ask.tool };
  if (outcome.rejection.code !== 'not_shown') throw tooLate(ask);
  throw new OperatorError(
    'not_shown',
    `"${code}" can only be allowed by somebody who was shown all of it.`,
    'Nothing was changed. Look at it with `synthesis approve`, which shows it first, or in `synthesis attach`.',
  );
}

const tooLate = (ask: Ask) =>
  new OperatorError(
    'already_answered',
    lateText(ask),
    'Nothing was changed. Run `synthesis approvals` to see what still waits.',
  );

function find(sessions: readonly Session[], typed: string): { session: Session; ask: Ask } {
  const code = typed.trim().toLowerCase();
  for (const session of sessions) {
    const ask = session.asks.find((each) => each.code === code);
    if (ask) return { session, ask };
  }
  throw new OperatorError(
    'no_such_code',
    `No permission request has the code "${typed}".`,
    'Run `synthesis approvals` to see what waits.',
  );
}

function refuseUnfit(ask: Ask, { verdict, scope, answer }: Decide['params']): void {
  const question = wantsAnswer(ask);
  if (ask.state.name !== 'asked') return;
  if (answer !== undefined && (!question || verdict === 'deny')) {
    throw new OperatorError(
      'bad_request',
      `"${ask.code}" asks for permission, not for an answer.`,
      `Answer it with \`synthesis approve ${ask.code}\` or \`synthesis deny ${ask.code} --reason …\`.`,
    );
  }
  if (question && verdict === 'allow' && answer === undefined) {
    throw new OperatorError(
      'bad_request',
      `"${ask.code}" is a question ${dialogOf(ask) ? 'with options' : "of Claude's"}: it needs an answer, not a yes.`,
      `Give the number of an option${dialogOf(ask) ? '' : ' or your own words'}: \`synthesis approve ${ask.code} --answer 1\`.`,
    );
  }
  const unfit = answer === undefined ? undefined : unfitFor(ask, answer, 'plain');
  if (unfit) {
    const [way] = unfit.instead;
    throw new OperatorError(
      'bad_request',
      `${unfit.fact} Nothing was changed.`,
      way
        ? `Answer ${way.for}: \`synthesis approve ${ask.code} --answer "${way.answer}"\`.`
        : `Look at the options with \`synthesis approve ${ask.code}\`.`,
    );
  }
  if (scope === 'session' && ask.cut) {
    throw new OperatorError(
      'bad_request',
      `Only the beginning of the input of "${ask.code}" is known here, so it can only be allowed once.`,
      "Look at Claude's terminal, then approve it without --scope session.",
    );
  }
  if (scope === 'session' && sessionRules(ask.suggestions).length === 0) {
    throw new OperatorError(
      'bad_request',
      `Claude Code suggests nothing that would hold for its session, so "${ask.code}" can only be allowed once.`,
      'Approve it without --scope session.',
    );
  }
}
