// Pure: a verdict as Claude Code's PermissionRequest hook wants it.
import { answersTo, askedQuestions } from '../../../domain/question/asked-questions.ts';
import { sessionRules } from '../../../domain/question/session-scope.ts';
import { denialWords } from '../../../domain/tools/denial.ts';
import type { PermissionSuggestion } from '../../../protocol/events/permission-events.ts';
import type { PermissionAnswer } from '../../app/ports.ts';
import type { PermissionRequestHook } from '../hooks/hook-schema.ts';

type Input = Record<string, unknown>;

type Decision =
  | { behavior: 'allow'; updatedInput?: Input; updatedPermissions?: PermissionSuggestion[] }
  /** Never with `interrupt`: answered too late, that would kill a running turn (measured on 2.1.329). */
  | { behavior: 'deny'; message: string };

export interface PermissionResponse {
  hookSpecificOutput: { hookEventName: 'PermissionRequest'; decision: Decision };
}

export function permissionResponse(
  hook: PermissionRequestHook,
  answer: PermissionAnswer,
): PermissionResponse {
  return { hookSpecificOutput: { hookEventName: 'PermissionRequest', decision: decide(hook, answer) } };
}

function decide(hook: PermissionRequestHook, answer: PermissionAnswer): Decision {
  const input = isRecord(hook.tool_input) ? hook.tool_input : {};
  if (answer.verdict === 'deny') return { behavior: 'deny', message: denialWords(hook.tool_name, answer) };
  if (hook.tool_name === 'AskUserQuestion') return chosen(input, answer.reason?.trim() ?? '');
  return {
    behavior: 'allow',
    // A bare allow leaves the plan dialog open; the documented way is to hand the input back.
    ...(hook.tool_name === 'ExitPlanMode' && { updatedInput: input }),
    ...rulesOf(hook, answer),
  };
}

/** "For this session" takes Claude Code's own suggestions, but never lets them outlive the session. */
function rulesOf(
  hook: PermissionRequestHook,
  { scope }: PermissionAnswer,
): { updatedPermissions?: PermissionSuggestion[] } {
  const rules = scope === 'session' ? sessionRules(hook.permission_suggestions ?? []) : [];
  return rules.length > 0 ? { updatedPermissions: rules } : {};
}

/** A bare allow would leave the question open, so words become the answer, and no words are said as they are. */
function chosen(input: Input, said: string): Decision {
  const questions = askedQuestions(input);
  if (said === '' || questions.length === 0)
    return { behavior: 'deny', message: `The user answered: ${said || 'yes'}` };
  return { behavior: 'allow', updatedInput: { ...input, answers: answersTo(questions, said) } };
}

const isRecord = (value: unknown): value is Input =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
