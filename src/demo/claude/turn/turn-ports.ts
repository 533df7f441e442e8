import type { HookAnswer, PermissionUpdate } from '../hooks/hook-answer.ts';
import type { HookRun } from '../hooks/hooks.ts';
import type { PermissionCall, Verdict } from '../permission/permission-desk.ts';
import type { Gate } from '../permission/permission-rules.ts';
import type { Knobs } from '../settings/knobs.ts';
import type { Tasks } from '../tasks/tasks.ts';
import type { ToolOutcome } from '../tools/tool-box.ts';
import type { Rule, Step, ToolUse } from './brain.ts';
import type { Transcript } from './transcript.ts';

/** What a turn needs from the session it belongs to. */
export interface TurnPorts {
  knobs: Knobs;
  hook(run: HookRun): Promise<HookAnswer[]>;
  /** Common hook fields: with mode and effort when `full`. */
  fields(promptId: string | undefined, full: boolean): Record<string, unknown>;
  transcript(): Transcript;
  log(line: string): void;
  plan(prompt: string): Step[];
  /** Fixed answers, for agents too. */
  rules: Rule[];
  missingTool(name: string): string | undefined;
  mcpServerOf(name: string): string | undefined;
  gate(call: ToolUse): Gate;
  ask(request: PermissionCall): Promise<Verdict>;
  apply(call: ToolUse, updates: PermissionUpdate[]): void;
  runTool(call: ToolUse, toolUseId: string, signal: AbortSignal): Promise<ToolOutcome>;
  /** What waits for Claude: prompts that were submitted, tasks that ended. Taking them puts them into this turn. */
  takeQueued(): Promise<string[]>;
  tasks: Tasks;
  /** What the last turn said; an empty answer is reported with it. */
  lastText(): string;
  exit(code: number): void;
}
