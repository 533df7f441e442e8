// Which Claude session a run is. Claude's own shell can read the run's token and post hooks, so a SessionStart proves
// nothing by itself: an id that it takes from elsewhere would be resumed, and recited, later.
import { existsSync, readdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Log } from '../../base/log.ts';
import { ClaudeId } from '../../protocol/claude-id.ts';
import type { SessionStartHook } from './hooks/hook-schema.ts';

export interface RunIdentityOptions {
  /** Claude Code's session id, as it was started with. */
  claude: string;
  /** Whether any conversation ever had this Claude session. */
  isUsed(claude: string): boolean;
  /** Takes the lock of one more Claude session. @returns false when somebody has it */
  lock(claude: string): boolean;
  /** Where its transcript is, as an earlier bridge was told. */
  transcript?: string | undefined;
  /** The run's own first hook told where its transcript is. */
  located(transcript: string): void;
  log: Log;
}

export class RunIdentity {
  readonly #options: RunIdentityOptions;
  #claude: string;
  /** As the run's own first hook told it, before Claude had read a word. */
  #transcript: string | undefined;
  #typed = false;

  constructor(options: RunIdentityOptions) {
    this.#options = options;
    this.#claude = options.claude;
    this.#transcript = options.transcript;
  }

  /** Path of what was said, as far as the run told where that is. */
  get transcript(): string | undefined {
    return this.#transcript && join(dirname(this.#transcript), `${this.#claude}.jsonl`);
  }

  /** A person types into Claude's terminal, where `/clear` is. */
  typing(): void {
    this.#typed = true;
  }

  /**
   * `/clear` in the terminal goes on under a new session id; a later resume must not return to the old one.
   * @returns the id it went over to
   */
  follow({ session_id: id, source, transcript_path: transcript }: SessionStartHook): string | undefined {
    if (id === undefined) return undefined;
    if (id === this.#claude) {
      if (this.#transcript === undefined && transcript !== undefined) {
        this.#transcript = transcript;
        this.#options.located(transcript);
      }
      return undefined;
    }
    const fault = this.#fault(id, source, transcript);
    if (fault !== undefined) {
      this.#options.log.warn('a hook names another Claude session, which is not followed', {
        why: fault,
        source,
      });
      return undefined;
    }
    this.#typed = false;
    this.#claude = id;
    return id;
  }

  #fault(id: string, source: string, transcript: string | undefined): string | undefined {
    // Nothing else begins another one (measured on 2.1.329).
    if (source !== 'clear') return 'only /clear begins another one';
    if (!this.#typed) return 'nobody typed /clear';
    if (!ClaudeId.safeParse(id).success) return 'its id is none';
    if (this.#options.isUsed(id)) return 'its id was used before';
    if (this.#transcript === undefined || transcript === undefined)
      return 'nothing tells where its transcript is';
    const projects = dirname(dirname(this.#transcript));
    if (dirname(dirname(transcript)) !== projects || basename(transcript) !== `${id}.jsonl`)
      return 'its transcript is elsewhere';
    // There is none before the first prompt (measured on 2.1.329). An old one would be resumed from any project.
    if (hasTranscript(projects, id)) return 'it has a transcript already';
    return this.#options.lock(id) ? undefined : 'somebody else runs it';
  }
}

function hasTranscript(projects: string, id: string): boolean {
  try {
    return readdirSync(projects).some((project) => existsSync(join(projects, project, `${id}.jsonl`)));
  } catch {
    // Without a single project there is no transcript.
    return false;
  }
}
