import type { PermissionUpdate } from '../hooks/hook-answer.ts';
import { storeLocalRules } from '../settings/local-settings.ts';
import type { ToolUse } from '../turn/brain.ts';
import {
  applyUpdates,
  type Gate,
  gate,
  type Mode,
  nextMode,
  type Policy,
  ruleTexts,
} from './permission-rules.ts';

/** The policy of a session as it changes: by verdicts, by Shift+Tab. */
export class Rulebook {
  readonly #cwd: string;
  readonly #onMode: (mode: Mode) => void;
  #policy: Policy;

  constructor(policy: Policy, cwd: string, onMode: (mode: Mode) => void) {
    this.#policy = policy;
    this.#cwd = cwd;
    this.#onMode = onMode;
  }

  get mode(): Mode {
    return this.#policy.mode;
  }

  gate(call: ToolUse): Gate {
    return gate(call, this.#policy);
  }

  cycleMode(): void {
    this.#become({ ...this.#policy, mode: nextMode(this.#policy.mode) });
  }

  /** Applies what a verdict on a call of `tool` brought along. */
  apply(tool: string, updates: PermissionUpdate[]): void {
    for (const update of updates) {
      if (update.type === 'addRules' && update.destination === 'localSettings')
        storeLocalRules(this.#cwd, ruleTexts(update));
    }
    const policy = applyUpdates(this.#policy, updates);
    this.#become(tool === 'ExitPlanMode' && policy.mode === 'plan' ? { ...policy, mode: 'default' } : policy);
  }

  #become(policy: Policy): void {
    this.#policy = policy;
    this.#onMode(policy.mode);
  }
}
