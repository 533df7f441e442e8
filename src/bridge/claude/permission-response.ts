// Pure: a verdict as Claude Code's PermissionRequest hook wants it.
import type { PermissionAnswer } from '../app/ports.ts';
import type { PermissionRequestHook } from './hook-schema.ts';

type Input = Record<string, unknown>;

type Decision =
  | { behavior: 'allow'; updatedInput?: Input; updatedPermissions?: Input[] }
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
  if (hook.tool_name === 'AskUserQuestion') return answerQuestion(input, answer);
  if (answer.verdict === 'deny') return { behavior: 'deny', message: denial(answer) };
  return {
    behavior: 'allow',
    // A bare allow leaves the plan dialog open; the documented way is to hand the input back.
    ...(hook.tool_name === 'ExitPlanMode' && { updatedInput: input }),
    ...sessionRules(hook, answer),
  };
}

const denial = ({ reason }: PermissionAnswer): string =>
  reason?.trim() ? `Denied by the user: ${reason.trim()}` : 'Denied by the user.';

/** "For this session" takes Claude Code's own suggestions, but never lets them outlive the session. */
function sessionRules(
  hook: PermissionRequestHook,
  answer: PermissionAnswer,
): { updatedPermissions?: Input[] } {
  if (answer.scope !== 'session' || !hook.permission_suggestions?.length) return {};
  return {
    updatedPermissions: hook.permission_suggestions.map((rule) => ({ ...rule, destination: 'session' })),
  };
}

/** A bare allow would leave the question open, so words become the answer, and no words become a refusal in words. */
function answerQuestion(input: Input, answer: PermissionAnswer): Decision {
  const said = answer.reason?.trim();
  const questions = questionsOf(input);
  if (answer.verdict === 'allow' && said && questions.length > 0) {
    const answers = Object.fromEntries(
      questions.map((question) => [question.text, optionOf(question, said)]),
    );
    return { behavior: 'allow', updatedInput: { ...input, answers } };
  }
  const verdict = answer.verdict === 'allow' ? 'yes' : 'no';
  return { behavior: 'deny', message: `The user answered: ${said || verdict}` };
}

interface Question {
  text: string;
  options: string[];
}

function questionsOf(input: Input): Question[] {
  if (!Array.isArray(input.questions)) return [];
  return input.questions.filter(isRecord).flatMap((question) => {
    if (typeof question.question !== 'string') return [];
    const options = Array.isArray(question.options) ? question.options : [];
    return [
      {
        text: question.question,
        options: options.flatMap((option) => (isRecord(option) ? [String(option.label ?? '')] : [])),
      },
    ];
  });
}

/** `2` or the beginning of an option's label picks it; anything else is an answer in the user's own words. */
function optionOf({ options }: Question, said: string): string {
  const number = /^\d+$/.test(said) ? options[Number(said) - 1] : undefined;
  const lower = said.toLowerCase();
  return number ?? options.find((option) => option.toLowerCase() === lower) ?? said;
}

const isRecord = (value: unknown): value is Input =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
