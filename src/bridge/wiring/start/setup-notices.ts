// What of the setup keeps sessions from working: said when the bridge starts, and whenever somebody asks how it is.
// Conversations that are open may have been begun with other settings.
import type { Session } from '../../../domain/state/session.ts';
import type { Check } from '../../../domain/views/check.ts';
import type { BridgeNotice } from '../../../domain/views/control.ts';
import type { Config } from '../../../protocol/settings/config.ts';
import type { OwnFiles } from '../../own-files.ts';
import { containFindings } from '../../setup/contain.ts';
import { exposureFindings, judged } from '../../setup/folders.ts';
import { modeFindings } from '../../setup/modes.ts';
import { claudeFindings } from '../../setup/programs.ts';
import { sandboxFindings } from '../../setup/sandbox.ts';
import { sessionPlaces } from '../../setup/session-places.ts';
import { trustFindings } from '../../setup/trust.ts';
import { type WorkPlace, workPlaces } from '../../setup/work-places.ts';

export interface SetupNoticesOptions {
  config: Config & { cwd: string };
  own: OwnFiles;
  env: Readonly<Record<string, string | undefined>>;
  sessions(): readonly Session[];
}

export class SetupNotices {
  readonly #options: SetupNoticesOptions;

  constructor(options: SetupNoticesOptions) {
    this.#options = options;
  }

  /** A sentence or more each. */
  async atStart(): Promise<string[]> {
    const { config, own, env } = this.#options;
    const { sound, found: now } = await this.#now();
    const modes = modeFindings(config, { uid: process.geteuid?.(), env });
    const found = [...now, ...exposureFindings(sound, own), ...modes];
    return found.map(({ message, suggestion }) => `${message} ${suggestion ?? ''}`.trim());
  }

  /** What is so now, and may be mended by the next look. */
  async now(): Promise<BridgeNotice[]> {
    return (await this.#now()).found.map(({ name, status, message, suggestion }) => ({
      code: name,
      words: message,
      ...(suggestion !== null && { suggestion }),
      ...(status === 'failed' && { failed: true }),
    }));
  }

  async #now(): Promise<{ sound: WorkPlace[]; found: Check[] }> {
    const { config, env, sessions } = this.#options;
    const configured = workPlaces(config, config.cwd);
    const { sound, faults } = await judged([...configured, ...sessionPlaces(sessions(), configured)]);
    const strange = await trustFindings(
      sound.filter((place) => configured.includes(place)),
      env,
    );
    const folders = sound.map(({ folder }) => folder);
    const sandbox = await sandboxFindings(config, folders, env);
    const contain = await containFindings(config, folders, env);
    const programs = claudeFindings(config.claude, env.PATH);
    return { sound, found: [...programs, ...faults, ...(strange ?? []), ...sandbox, ...contain] };
  }
}
