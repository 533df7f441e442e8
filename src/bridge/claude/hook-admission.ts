// Who may post a hook: whoever shows the token of a Claude Code that runs, and not too many at once.
import type { Log } from '../../base/log.ts';
import { sameSecret } from '../../base/secret.ts';
import type { ClaudeRun } from './claude-run.ts';
import type { HookClient } from './permission-ask.ts';
import { unreadAnswer } from './policy-answer.ts';

/** Leave to post one hook. Whoever got it calls `leave` when the request is over, whatever became of it. */
export interface HookPass {
  /**
   * Everything is answered at once but PermissionRequest, which is held until a verdict or until the client gives up.
   * Never rejects.
   * @param event the last path segment of `/hooks/<event>` @param body parsed JSON
   */
  handle(event: string, body: unknown, client: HookClient): Promise<object>;
  /** Idempotent. */
  leave(): void;
}

/** What a token alone decides, before anything of a hook is read. */
export type HookAdmission = { kind: 'admitted'; pass: HookPass } | { kind: 'stranger' } | { kind: 'crowded' };

/** Hooks of one Claude Code that may be under way at once, the held ones among them. Ten in parallel are usual. */
const mostHooks = 64;

export function admitHook(
  runs: readonly Pick<ClaudeRun, 'token' | 'hooks' | 'hook'>[],
  token: string | undefined,
  log: Log,
): HookAdmission {
  // Every one is compared, whichever it is: the time tells nothing.
  const [run] = runs.filter((each) => sameSecret(each.token, token));
  if (!run) return { kind: 'stranger' };
  if (run.hooks.size >= mostHooks) return { kind: 'crowded' };
  const pass: HookPass = {
    leave: () => void run.hooks.delete(pass),
    handle: async (event, body, client) => {
      try {
        return await run.hook(event, body, client);
      } catch (error) {
        log.error('hook failed', { event, error });
        // Claude Code goes on without our answer.
        return unreadAnswer(event);
      }
    },
  };
  run.hooks.add(pass);
  return { kind: 'admitted', pass };
}
