import type { BoxLayout } from '../screen/box-layout.ts';

/** Remembers how releases draw their prompt box, as long as the bridge runs: the next start of one need not find out. */
export class KnownLayouts {
  readonly #layouts = new Map<string, BoxLayout>();

  of(version: string | undefined): BoxLayout | undefined {
    return version === undefined ? undefined : this.#layouts.get(version);
  }

  learned(version: string | undefined, layout: BoxLayout): void {
    if (version !== undefined) this.#layouts.set(version, layout);
  }
}
