import { type Authored, readAuthored, valueAt } from './authored-config.ts';
import type { OpenClaw } from './openclaw-cli.ts';

/** OpenClaw's configuration, read. A plain JSON file is looked at directly: every other look takes OpenClaw 2 s. */
export class ConfigView {
  readonly #cli: OpenClaw;
  /** Where the file is; it need not exist. */
  readonly path: string;
  readonly authored: Authored;

  private constructor(cli: OpenClaw, path: string) {
    this.#cli = cli;
    this.path = path;
    this.authored = readAuthored(path);
  }

  static async open(cli: OpenClaw): Promise<ConfigView> {
    return new ConfigView(cli, await cli.configFile());
  }

  /** The value at a path, undefined when it is not set. What OpenClaw itself has to tell is redacted. */
  async get(...path: string[]): Promise<unknown> {
    const { authored } = this;
    if (authored.kind === 'absent') return undefined;
    // Parts of it may stand in other files.
    if (authored.kind === 'json' && !JSON.stringify(authored.value).includes('"$include"'))
      return valueAt(authored.value, path);
    return this.#cli.get(path.join('.'));
  }
}
