// What the bridge needs of the `openclaw` command, on a configuration in a file of the test's own.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import type { OpenClaw, Validity } from '../../src/bridge/openclaw/openclaw-cli.ts';
import { OpenClawError } from '../../src/bridge/openclaw/openclaw-error.ts';
import type { Patch } from '../../src/bridge/openclaw/provider-entry.ts';
import { applied } from '../../src/bridge/openclaw/removal.ts';

type Value = Record<string, unknown>;

/** What OpenClaw 2026.9.6 writes into every configuration. */
const meta = {
  migrations: { modelPolicyAllowlist: true, utilityModelSeparation: true },
  lastTouchedVersion: '2026.9.6',
};

export class SmallOpenClaw implements OpenClaw {
  readonly #file: string;
  readonly patches: Patch[] = [];
  validity: Validity = { valid: true, problems: [] };
  plugins = new Map<string, { version: string; enabled: boolean }>();
  /** Why the next plugin installation is refused. */
  refusesPlugins: string | undefined;

  constructor(file: string, before?: Value | string) {
    this.#file = file;
    if (before !== undefined) this.#write(before);
  }

  /** The configuration without what OpenClaw notes for itself. */
  get value(): Value {
    const { meta: _, ...value } = this.#tolerant();
    return value;
  }

  async version(): Promise<string> {
    return '2026.9.6';
  }

  async configFile(): Promise<string> {
    return this.#file;
  }

  async get(path: string): Promise<unknown> {
    const parts = path.split('.');
    return parts.reduce<unknown>((at, key) => (at as Value | undefined)?.[key], this.#tolerant());
  }

  async validate(): Promise<Validity> {
    return this.validity;
  }

  async tryPatch(): Promise<void> {}

  /** Like OpenClaw: no write may leave less than half of a file of 512 bytes or more. */
  async patch(patch: Patch): Promise<void> {
    this.patches.push(patch);
    const before = this.#tolerant();
    const after = { ...applied(before, patch), meta };
    const bytes = (value: Value) => JSON.stringify(value, undefined, 2).length;
    if (bytes(before) >= 512 && bytes(after) < bytes(before) / 2)
      throw new OpenClawError('openclaw_refused', 'size-drop', '');
    this.#write(after);
  }

  async plugin(id: string): Promise<{ version: string; enabled: boolean } | undefined> {
    return this.plugins.get(id);
  }

  async installPlugin(): Promise<void> {
    if (this.refusesPlugins) throw new OpenClawError('openclaw_refused', this.refusesPlugins, '');
    this.plugins.set('synthesis', { version: '0.1.0', enabled: true });
    this.#write(applied(this.#tolerant(), { plugins: { entries: { synthesis: { enabled: true } } } }));
  }

  async uninstallPlugin(id: string): Promise<void> {
    this.plugins.delete(id);
    this.#write(applied(this.#tolerant(), { plugins: { entries: { [id]: { enabled: false } } } }));
  }

  /** Comments on lines of their own are all the JSON5 there is here. */
  #tolerant(): Value {
    if (!existsSync(this.#file)) return {};
    return JSON.parse(readFileSync(this.#file, 'utf8').replace(/^\s*\/\/.*$/gm, '')) as Value;
  }

  #write(value: Value | string): void {
    writeFileSync(this.#file, typeof value === 'string' ? value : JSON.stringify(value, undefined, 2));
  }
}
