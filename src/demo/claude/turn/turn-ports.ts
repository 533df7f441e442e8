import type { HookAnswer, PermissionUpdate } from '../hooks/hook-answer.ts';
import type { HookRun } from '../hooks/hooks.ts';
import type { PermissionCall, Verdict } from '../permission/permission-desk.ts';
import type { Gate } from '../permission/permission-rules.ts';
import type { Knobs } from '../settings/knobs.ts';
import type { ToolOutcome } from '../tools/tool-box.ts';
import type { Step, ToolUse } from './brain.ts';
import type { Transcript } from './transcript.ts';

/** A command in the background, as Claude Code names it. */
export interface BackgroundTask {
  id: string;
  toolUse: string;
  description: string;
}

/** What a turn needs from the session it belongs to. */
export interface TurnPorts {
  knobs: Knobs;
  hook(run: HookRun): Promise<HookAnswer[]>;
  /** Common hook fields: with mode and effort when `full`. */
  fields(promptId: string, full: boolean): Record<string, unknown>;
  transcript(): Transcript;
  log(line: string): void;
  plan(prompt: string): Step[];
  missingTool(name: string): string | undefined;
  mcpServerOf(name: string): string | undefined;
  gate(call: ToolUse): Gate;
  ask(request: PermissionCall): Promise<Verdict>;
  apply(call: ToolUse, updates: PermissionUpdate[]): void;
  runTool(call: ToolUse, toolUseId: string, signal: AbortSignal): Promise<ToolOutcome>;
  /** Prompts that were submitted meanwhile; taking them puts them into this turn. */
  takeQueued(): string[];
  background(task: BackgroundTask): void;
  backgroundTasks(): unknown[];
  exit(code: number): void;
}
