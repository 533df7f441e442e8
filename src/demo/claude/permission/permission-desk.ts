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
  /** Hook fields of the running turn. */
  fields(): Record<string, unknown>;
  openDialog(dialog: Dialog<Choice>, onChoice: (choice: Choice) => void): () => void;
  /** Relays to every channel that declared the capability. @returns their names. */
  relay(method: string, params: object): string[];
}

export interface PermissionCall {
  call: ToolUse;
  /** Aborted when the turn is interrupted. */
  signal: AbortSignal;
  /** A hook that answers deny + interrupt after a local Yes still aborts the turn (measured on 2.1.329). */
  interruptTurn(): void;
}

const rejected = "The user doesn't want to proceed with this tool use. The tool use was rejected.";

/** Asks for one call at a time: parallel calls queue up here. */
export class PermissionDesk {
  readonly #ports: PermissionPorts;
  readonly #relayed = new Map<string, (verdict: ChannelVerdict) => void>();
  #last: Promise<unknown> = Promise.resolve();

  constructor(ports: PermissionPorts) {
    this.#ports = ports;
  }

  ask(request: PermissionCall): Promise<Verdict> {
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
    const { call, signal } = request;
    const hookAbort = new AbortController();
    const { promise, resolve } = Promise.withResolvers<Verdict>();
    let settled = false;
    const settle = (verdict: Verdict) => {
      settled = true;
      // No and Esc close the held request; a Yes leaves it open until its own end (measured on 2.1.329).
      if (verdict.kind === 'abort') hookAbort.abort();
      resolve(verdict);
    };
    const onAbort = () => settle({ kind: 'abort' });
    signal.addEventListener('abort', onAbort, { once: true });
    const closeDialog = this.#ports.openDialog(permissionDialog(call, this.#ports.cwd), (choice) =>
      settle(verdictOfChoice(choice, call)),
    );
    const requestId = this.#relay(call, settle);
    const stopNotice = this.#notifyLater();
    void this.#ports.hooks.run({
      event: 'PermissionRequest',
      subject: call.name,
      payload: this.#payload(call),
      signal: hookAbort.signal,
      onAnswer: (answer) => {
        const decision = answer.hookSpecificOutput?.decision;
        if (!decision) return;
        if (settled) lateDecision(decision, request);
        else this.#decide(decision, call, settle);
      },
    });
    try {
      return await promise;
    } finally {
      signal.removeEventListener('abort', onAbort);
      if (requestId) this.#relayed.delete(requestId);
      stopNotice();
      closeDialog();
    }
  }

  #decide(decision: PermissionDecision, call: ToolUse, settle: (verdict: Verdict) => void): void {
    if (decision.behavior === 'deny') {
      settle(
        decision.interrupt ? { kind: 'abort' } : { kind: 'deny', message: decision.message ?? rejected },
      );
      return;
    }
    // A bare allow does not close the dialogs whose point is an answer (measured on 2.1.329).
    if (call.name === 'AskUserQuestion' && !decision.updatedInput?.answers) return;
    if (call.name === 'ExitPlanMode' && !decision.updatedInput) return;
    const input = decision.updatedInput ?? call.input;
    settle({ kind: 'allow', input, updates: decision.updatedPermissions ?? [] });
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

  #payload(call: ToolUse): Record<string, unknown> {
    const more = suggestions(call, this.#ports.cwd);
    return {
      ...this.#ports.fields(),
      tool_name: call.name,
      tool_input: call.input,
      ...(more ? { permission_suggestions: more } : {}),
    };
  }

  #notifyLater(): () => void {
    const timer = setTimeout(() => {
      void this.#ports.hooks.run({
        event: 'Notification',
        subject: 'permission_prompt',
        payload: {
          ...this.#ports.fields(),
          message: 'Claude needs your permission',
          notification_type: 'permission_prompt',
        },
      });
    }, this.#ports.notifyMs);
    return () => clearTimeout(timer);
  }
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
