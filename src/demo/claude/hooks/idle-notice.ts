import type { Hooks } from './hooks.ts';

/** Says by a hook that nothing has happened for a while. */
export class IdleNotice {
  readonly #hooks: Hooks;
  readonly #ms: number;
  #timer: NodeJS.Timeout | undefined;

  constructor(hooks: Hooks, ms: number) {
    this.#hooks = hooks;
    this.#ms = ms;
  }

  arm(fields: () => Record<string, unknown>): void {
    this.disarm();
    this.#timer = setTimeout(() => {
      const more = { message: 'Claude is waiting for your input', notification_type: 'idle_prompt' };
      const payload = { ...fields(), ...more };
      void this.#hooks.run({ event: 'Notification', subject: 'idle_prompt', payload });
    }, this.#ms);
  }

  disarm(): void {
    clearTimeout(this.#timer);
  }
}
