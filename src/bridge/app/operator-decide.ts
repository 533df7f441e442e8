// A verdict given at the operator's own seat: command line or terminal screen.
import { lateText } from '../../domain/outcome.ts';
import { isCut } from '../../domain/question.ts';
import type { Ask, Session } from '../../domain/session.ts';
import { sessionRules } from '../../domain/session-scope.ts';
import type { ControlMethods } from '../../domain/views/control.ts';
import type { Dispatcher } from './dispatcher.ts';
import { OperatorError } from './operator-error.ts';

type Decide = ControlMethods['permission.decide'];

/** @throws OperatorError `no_such_code`, `bad_request`, or `already_answered` with who was faster. */
export function decideAsk(dispatcher: Dispatcher, params: Decide['params']): Decide['result'] {
  const code = params.code.trim().toLowerCase();
  const { session, ask } = find(dispatcher.sessions(), code, params.code);
  refuseUnfit(ask, params);
  const { verdict, scope, door = 'cli' } = params;
  const reason = params.answer ?? params.reason;
  const outcome = dispatcher.dispatch(session.key, {
    type: 'permission.decide',
    code,
    verdict,
    by: door,
    ...(reason !== undefined && { reason }),
    ...(scope !== undefined && { scope }),
  });
  if (outcome.ok) return { code, verdict, session: session.key, tool: ask.tool };
  throw new OperatorError(
    'already_answered',
    lateText(ask),
    'Nothing was changed. Run `synthesis approvals` to see what still waits.',
  );
}

function find(sessions: readonly Session[], code: string, typed: string): { session: Session; ask: Ask } {
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
  const question = ask.tool === 'AskUserQuestion';
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
      `"${ask.code}" is a question of Claude's: it needs an answer, not a yes.`,
      `Give the number of an option or your own words: \`synthesis approve ${ask.code} --answer 1\`.`,
    );
  }
  if (scope === 'session' && isCut(ask)) {
    throw new OperatorError(
      'bad_request',
      `The input of "${ask.code}" cannot be shown whole, so it can only be allowed once.`,
      'Look at it with `synthesis approvals --json`, then approve it without --scope session.',
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
