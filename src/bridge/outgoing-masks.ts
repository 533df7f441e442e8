// What goes out, without secrets. Looking for kinds loads their rules: with the first answer, not with the bridge.
import type { Config } from '../protocol/settings/config.ts';
import { MaskedText } from '../secrets/outgoing/masked-text.ts';
import type { Mask, Masks } from './app/masking.ts';
import type { KnownSecrets } from './known-secrets.ts';
import { maskMode } from './profiles.ts';

type Find = (text: string) => readonly { start: number; end: number; kind: string }[];

/** No kind is looked for. */
const nothing: Find = () => [];

export class OutgoingMasks implements Masks {
  readonly #config: Config;
  readonly #known: Pick<KnownSecrets, 'values'>;

  constructor(config: Config, known: Pick<KnownSecrets, 'values'>) {
    this.#config = config;
    this.#known = known;
  }

  async of(key = ''): Promise<Mask> {
    const find = maskMode(this.#config, key) === 'secrets' ? await kinds() : nothing;
    const values = this.#known.values();
    return {
      over: (source, exempt) => new MaskedText(source, { find, values, ...(exempt && { exempt }) }),
      whole: (text) => whole(text, find, values),
      own: (text) => withoutValues(text, values),
    };
  }
}

/** A text without what is secret by its value. */
export const withoutValues = (text: string, values: readonly string[]): string =>
  whole(text, nothing, values).text;

const kinds = async (): Promise<Find> => (await import('../secrets/find-secrets.ts')).findSecrets;

function whole(text: string, find: Find, values: readonly string[]): { text: string; count: number } {
  const masked = new MaskedText(text, { find, values });
  return { text: masked.take(true), count: masked.count };
}
