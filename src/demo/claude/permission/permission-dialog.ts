// The dialog of one tool call, in the words of Claude Code 2.1.329 where a bridge may look for them. Pure.
import { basename } from 'node:path';
import { z } from 'zod';
import type { PermissionUpdate } from '../hooks/hook-answer.ts';
import type { Dialog } from '../screen/dialog.ts';
import type { ToolUse } from '../turn/brain.ts';
import { suggestions } from './permission-rules.ts';

/** What a choice at the terminal means for the call. */
export type Choice =
  | { kind: 'allow'; updates: PermissionUpdate[]; answers?: Record<string, string> }
  | { kind: 'deny'; message: string }
  | { kind: 'cancel' };

const allow = (updates: PermissionUpdate[] = []): Choice => ({ kind: 'allow', updates });
const cancel: Choice = { kind: 'cancel' };
const autoMode: PermissionUpdate = { type: 'setMode', mode: 'auto', destination: 'session' };

export const Questions = z.object({
  questions: z
    .array(z.object({ question: z.string(), options: z.array(z.object({ label: z.string() })).default([]) }))
    .min(1),
});

export function permissionDialog(call: ToolUse, cwd: string): Dialog<Choice> {
  if (call.name === 'AskUserQuestion') return questionDialog(call);
  if (call.name === 'ExitPlanMode') return planDialog(call);
  const wider = suggestions(call, cwd) ?? [];
  const options = [
    { label: 'Yes', effect: allow() },
    { label: widerLabel(call, cwd), effect: allow(wider) },
    ...(call.name === 'Bash' ? [{ label: 'Yes, and switch to auto mode', effect: allow([autoMode]) }] : []),
    { label: 'No', effect: cancel },
  ];
  return {
    lines: [...headOf(call), questionOf(call)],
    options,
    selected: 0,
    numbered: true,
    cancel,
    hint: 'Esc to cancel · Tab to amend',
  };
}

function headOf(call: ToolUse): string[] {
  switch (call.name) {
    case 'Bash':
      return [` Bash command`, ` ${String(call.input.description ?? '')}`, ` ${String(call.input.command)}`];
    case 'Write':
    case 'Edit':
      return [` ${call.name} file`, ` ${String(call.input.file_path)}`];
    default:
      return [' Tool use', ` ${call.name}(${JSON.stringify(call.input).slice(0, 300)})`];
  }
}

function questionOf(call: ToolUse): string {
  return call.name === 'Write'
    ? ` Do you want to create ${basename(String(call.input.file_path))}?`
    : ' Do you want to proceed?';
}

function widerLabel(call: ToolUse, cwd: string): string {
  if (call.name === 'Write' || call.name === 'Edit')
    return 'Yes, and switch to accept edits for this session';
  return call.name === 'Bash'
    ? 'Yes, and always allow this command'
    : `Yes, and don't ask again for ${call.name} in ${cwd}`;
}

function questionDialog(call: ToolUse): Dialog<Choice> {
  const first = Questions.safeParse(call.input).data?.questions[0];
  const question = first?.question ?? 'Question';
  const choose = (label: string): Choice => ({ kind: 'allow', updates: [], answers: { [question]: label } });
  return {
    lines: [' ☐ Question', '', question, ''],
    options: [
      ...(first?.options ?? []).map(({ label }) => ({ label, effect: choose(label) })),
      {
        label: 'Chat about this',
        effect: { kind: 'deny', message: 'The user wants to talk about this question first.' },
      },
    ],
    selected: 0,
    numbered: true,
    cancel,
    hint: 'Enter to select · ↑/↓ to navigate · Esc to cancel',
  };
}

function planDialog(call: ToolUse): Dialog<Choice> {
  const back: PermissionUpdate = { type: 'setMode', mode: 'default', destination: 'session' };
  const plan = typeof call.input.plan === 'string' ? call.input.plan.split('\n') : [];
  return {
    lines: [' Exit plan mode?', '', ...plan, ' Claude wants to exit plan mode', ''],
    options: [
      { label: 'Yes, and switch to default (ask each time) for this session', effect: allow([back]) },
      { label: 'No', effect: cancel },
    ],
    selected: 0,
    numbered: true,
    cancel,
    hint: 'Esc to cancel',
  };
}
