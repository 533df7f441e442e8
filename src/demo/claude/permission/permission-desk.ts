// Where one permission request meets its doors: the dialog, the held hook, the channel relay. The first answer wins.

import type { PermissionDecision, PermissionUpdate } from '../hooks/hook-answer.ts';
import type { Hooks } from '../hooks/hooks.ts';
import { askMethod, type ChannelVerdict, inputPreview, newRequestId } from '../mcp/channel.ts';
import type { Dialog } from '../screen/dialog.ts';
import type { ToolUse } from '../turn/brain.ts';
import { type Choice, permissionDialog } from './permission-dialog.ts';
import { needsPerson, suggestions } from './permission-rules.ts';

/** How a request ended. `abort` ends the whole turn; a denial is a tool error and the turn goes on. */
export type Verdict =
  | { kind: 'allow'; input: Record<string, unknown>; updates: PermissionUpdate[] }
  | { kind: 'deny'; message: string }
  | { kind: 'abort' };

export interface PermissionPorts {
  hooks: Hooks;
  cwd: string;
  /** Milliseconds until the Notification. */
  notifyMs: number;
  openDialog(dialog: Dialog<Choice>, onChoice: (choice: Choice) => void): () => void;
  /** Relays to every channel that declared the capability. @returns their names. */
  relay(method: string, params: object): string[];
}

export interface PermissionCall {
  call: ToolUse;
  /** Aborted when the turn is interrupted, or the agent stopped. */
  signal: AbortSignal;
  isAgent: boolean;
  /** Hook fields of who asks. */
  fields(): Record<string, unknown>;
  /** A hook that answers deny + interrupt after a local Yes still aborts the turn (measured on 2.1.329). */
  interruptTurn(): void;
}

/** What "No" and Esc in the dialog of an agent's call come to: it goes on. */
const deniedToAgent =
  'Permission for this tool use was denied. The tool use was rejected (eg. if it was a file edit, the new_string was ' +
  'NOT written to the file). Try a different approach or report the limitation to complete your task.';

const rejected = "The user doesn't want to proceed with this tool use. The tool use was rejected.";

/** Asks for one call of the main thread at a time: parallel calls queue up here. Agents ask beside it. */
export class PermissionDesk {
  readonly #ports: PermissionPorts;
  readonly #relayed = new Map<string, (verdict: ChannelVerdict) => void>();
  #last: Promise<unknown> = Promise.resolve();

  constructor(ports: PermissionPorts) {
    this.#ports = ports;
  }

  ask(request: PermissionCall): Promise<Verdict> {
    if (request.isAgent) return this.#askForAgent(request);
    const turn = this.#last.then(() => this.#ask(request));
    this.#last = turn;
    return turn;
  }

  /** A channel's verdict. @returns false when the id is stale or unknown. */
  resolve(verdict: ChannelVerdict): boolean {
    const waiting = this.#relayed.get(verdict.request_id);
    waiting?.(verdict);
    return waiting !== undefined;
  }

  async #ask(request: PermissionCall): Promise<Verdict> {
    if (request.signal.aborted) return { kind: 'abort' };
    const { call } = request;
    const hookAbort = new AbortController();
    let settled = false;
    const { promise, settle } = this.#open(request);
    void this.#ports.hooks.run({
      event: 'PermissionRequest',
      subject: call.name,
      payload: this.#payload(request),
      signal: hookAbort.signal,
      onAnswer: (answer) => {
        const decision = answer.hookSpecificOutput?.decision;
        if (!decision) return;
        if (settled) lateDecision(decision, request);
        else settle(verdictOf(decision, call));
      },
    });
    const verdict = await promise;
    settled = true;
    // No and Esc close the held request; a Yes leaves it open until its own end (measured on 2.1.329).
    if (verdict.kind === 'abort') hookAbort.abort();
    return verdict;
  }

  /**
   * Nothing is drawn while the hook is held; the dialog comes when it has decided nothing (measured on 2.1.332).
   * Nothing that is answered here ends the agent.
   */
  async #askForAgent(request: PermissionCall): Promise<Verdict> {
    const { call, signal } = request;
    const hook = Promise.withResolvers<Verdict | undefined>();
    void this.#ports.hooks
      .run({
        event: 'PermissionRequest',
        subject: call.name,
        payload: this.#payload(request),
        signal,
        onAnswer: ({ hookSpecificOutput: output }) => {
          const verdict = output?.decision && verdictOf(output.decision, call);
          if (verdict) hook.resolve(verdict);
        },
      })
      .then(() => hook.resolve(undefined));
    const decided = await hook.promise;
    if (signal.aborted) return { kind: 'abort' };
    const verdict = decided ?? (await this.#open(request).promise);
    return verdict.kind === 'abort' && !signal.aborted ? { kind: 'deny', message: deniedToAgent } : verdict;
  }

  /** Opens the doors beside the hook: the dialog, the relay. They close with the first answer, whoever gives it. */
  #open(request: PermissionCall): { promise: Promise<Verdict>; settle(verdict: Verdict | undefined): void } {
    const { call, signal, isAgent } = request;
    const { promise, resolve } = Promise.withResolvers<Verdict>();
    const settle = (verdict: Verdict | undefined) => verdict && resolve(verdict);
    const onAbort = () => settle({ kind: 'abort' });
    signal.addEventListener('abort', onAbort, { once: true });
    const dialog = permissionDialog(call, this.#ports.cwd);
    const closeDialog = this.#ports.openDialog(
      isAgent
        ? { ...dialog, hint: `${dialog.hint} · ctrl+x ctrl+k twice to stop background agents` }
        : dialog,
      (choice) => settle(verdictOfChoice(choice, call)),
    );
    const requestId = this.#relay(call, settle);
    const stopNotice = this.#notifyLater(request);
    const closed = promise.finally(() => {
      signal.removeEventListener('abort', onAbort);
      if (requestId) this.#relayed.delete(requestId);
      stopNotice();
      closeDialog();
    });
    return { promise: closed, settle };
  }

  #relay(call: ToolUse, settle: (verdict: Verdict) => void): string | undefined {
    if (needsPerson(call.name)) return undefined;
    const requestId = newRequestId();
    const names = this.#ports.relay(askMethod, {
      request_id: requestId,
      tool_name: call.name,
      description: String(call.input.description ?? call.name),
      input_preview: inputPreview(call.input),
    });
    this.#relayed.set(requestId, ({ behavior }) =>
      settle(
        behavior === 'allow'
          ? { kind: 'allow', input: call.input, updates: [] }
          : { kind: 'deny', message: `${rejected} Denied via channel ${names.join(', ')}` },
      ),
    );
    return requestId;
  }

  #payload({ call, fields }: PermissionCall): Record<string, unknown> {
    const more = suggestions(call, this.#ports.cwd);
    return {
      ...fields(),
      tool_name: call.name,
      tool_input: call.input,
      ...(more ? { permission_suggestions: more } : {}),
    };
  }

  #notifyLater({ fields }: PermissionCall): () => void {
    const timer = setTimeout(() => {
      void this.#ports.hooks.run({
        event: 'Notification',
        subject: 'permission_prompt',
        payload: {
          ...fields(),
          message: 'Claude needs your permission',
          notification_type: 'permission_prompt',
        },
      });
    }, this.#ports.notifyMs);
    return () => clearTimeout(timer);
  }
}

/** @returns undefined when it decides nothing */
function verdictOf(decision: PermissionDecision, call: ToolUse): Verdict | undefined {
  if (decision.behavior === 'deny')
    return decision.interrupt ? { kind: 'abort' } : { kind: 'deny', message: decision.message ?? rejected };
  // A bare allow does not close the dialogs whose point is an answer (measured on 2.1.329).
  if (call.name === 'AskUserQuestion' && !decision.updatedInput?.answers) return undefined;
  if (call.name === 'ExitPlanMode' && !decision.updatedInput) return undefined;
  const input = decision.updatedInput ?? call.input;
  return { kind: 'allow', input, updates: decision.updatedPermissions ?? [] };
}

function lateDecision(decision: PermissionDecision, { interruptTurn }: PermissionCall): void {
  if (decision.behavior === 'deny' && decision.interrupt) interruptTurn();
}

function verdictOfChoice(choice: Choice, call: ToolUse): Verdict {
  switch (choice.kind) {
    case 'allow':
      return {
        kind: 'allow',
        input: choice.answers ? { ...call.input, answers: choice.answers } : call.input,
        updates: choice.updates,
      };
    case 'deny':
      return { kind: 'deny', message: choice.message };
    case 'cancel':
      return { kind: 'abort' };
  }
}
