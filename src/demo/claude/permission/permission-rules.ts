// When a tool call needs a person. Pure.

import type { PermissionUpdate } from '../hooks/hook-answer.ts';
import type { ToolUse } from '../turn/brain.ts';

/** The mode as hooks name it: `manual` is called `default` there. */
export type Mode = 'default' | 'acceptEdits' | 'auto' | 'bypassPermissions' | 'dontAsk' | 'plan';

export interface Policy {
  mode: Mode;
  /** Rules such as `mcp__synthesis`, `Bash`, `Bash(curl --version)`, `Bash(npm:*)`. */
  allow: string[];
  deny: string[];
}

export type Gate = { kind: 'run' } | { kind: 'ask' } | { kind: 'refuse'; message: string };

const interactive = new Set(['AskUserQuestion', 'ExitPlanMode']);
/** What Claude may do without a question, in every mode. */
const harmless = new Set(['Agent', 'TaskStop', 'Elicit']);
const edits = new Set(['Write', 'Edit']);
const fileCommand = /^(?:touch|mkdir|rm|rmdir|mv|cp|sed)\b/;

/** True for tools whose dialog is the point: allowed by no rule and no mode, and never relayed to a channel. */
export const needsPerson = (tool: string): boolean => interactive.has(tool);

export function readMode(name: string): Mode {
  switch (name) {
    case 'acceptEdits':
    case 'auto':
    case 'bypassPermissions':
    case 'dontAsk':
    case 'plan':
      return name;
    default:
      return 'default';
  }
}

/** Decides whether a call runs, is refused, or opens a permission request. */
export function gate(call: ToolUse, policy: Policy): Gate {
  if (policy.deny.some((rule) => covers(rule, call)))
    return { kind: 'refuse', message: `Permission to use ${call.name} has been denied.` };
  if (interactive.has(call.name)) return { kind: 'ask' };
  if (harmless.has(call.name) || policy.allow.some((rule) => covers(rule, call))) return { kind: 'run' };
  switch (policy.mode) {
    case 'auto':
    case 'bypassPermissions':
      return { kind: 'run' };
    case 'acceptEdits':
      return edits.has(call.name) || fileCommand.test(commandOf(call)) ? { kind: 'run' } : { kind: 'ask' };
    case 'dontAsk':
      return { kind: 'refuse', message: `Permission to use ${call.name} has been denied in dontAsk mode.` };
    default:
      return { kind: 'ask' };
  }
}

function covers(rule: string, call: ToolUse): boolean {
  const parts = /^([^(]+)(?:\(([\s\S]*)\))?$/.exec(rule.trim());
  const [tool, content] = [parts?.[1] ?? '', parts?.[2]];
  if (
    tool !== call.name &&
    !(tool.startsWith('mcp__') && call.name.startsWith(`${tool.replace(/__\*$/, '')}__`))
  )
    return false;
  if (content === undefined || content === '*') return true;
  if (content.endsWith(':*')) return commandOf(call).startsWith(content.slice(0, -2));
  return commandOf(call) === content;
}

const commandOf = (call: ToolUse): string => String(call.input.command ?? '');

/** The suggestions that go with a request, as seen on 2.1.329. Tools that ask a person have none. */
export function suggestions(call: ToolUse, cwd: string): PermissionUpdate[] | undefined {
  if (interactive.has(call.name)) return undefined;
  const acceptEdits: PermissionUpdate = { type: 'setMode', mode: 'acceptEdits', destination: 'session' };
  const rule = (ruleContent?: string): PermissionUpdate => ({
    type: 'addRules',
    rules: [ruleContent === undefined ? { toolName: call.name } : { toolName: call.name, ruleContent }],
    behavior: 'allow',
    destination: 'localSettings',
  });
  if (edits.has(call.name)) return [acceptEdits];
  if (call.name !== 'Bash') return [rule()];
  if (fileCommand.test(commandOf(call)))
    return [{ type: 'addDirectories', directories: [cwd], destination: 'session' }, acceptEdits];
  return [rule(commandOf(call))];
}

/** The policy after a verdict's updates: rules are added, the mode is set. */
export function applyUpdates(policy: Policy, updates: PermissionUpdate[]): Policy {
  const next = { mode: policy.mode, allow: [...policy.allow], deny: [...policy.deny] };
  for (const update of updates) {
    if (update.type === 'setMode') next.mode = readMode(update.mode);
    if (update.type === 'addRules')
      (update.behavior === 'deny' ? next.deny : next.allow).push(...ruleTexts(update));
  }
  return next;
}

/** `Bash` + `curl --version` → `Bash(curl --version)`. */
export function ruleTexts(update: Extract<PermissionUpdate, { type: 'addRules' }>): string[] {
  return update.rules.map(({ toolName, ruleContent }) =>
    ruleContent === undefined ? toolName : `${toolName}(${ruleContent})`,
  );
}

const cycle: Mode[] = ['default', 'acceptEdits', 'plan', 'auto'];

/** The mode Shift+Tab goes to. */
export const nextMode = (mode: Mode): Mode => cycle[(cycle.indexOf(mode) + 1) % cycle.length] ?? 'default';

/** The footer's words for a mode. */
export function modeLabel(mode: Mode): string {
  switch (mode) {
    case 'acceptEdits':
      return '⏵⏵ accept edits on';
    case 'auto':
      return '⏵⏵ auto mode on';
    case 'bypassPermissions':
      return '⏵⏵ bypass permissions on';
    case 'plan':
      return '⏸ plan mode on';
    case 'dontAsk':
      return "⏵⏵ don't ask on";
    default:
      return '⏸ manual mode on';
  }
}
