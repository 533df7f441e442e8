// What a scraper reads, with a parser that is not ours.
import parse from 'parse-prometheus-text-format';

type Labels = Record<string, string>;

interface Family {
  name: string;
  help: string;
  type: string;
  metrics: { labels?: Labels; value?: string }[];
}

export class Scraped {
  /** As they say they are. */
  readonly families: Family[];
  /** With buckets, sums and counts as samples of their own: the parser mixes those of a histogram with labels. */
  readonly #plain: Family[];

  constructor(text: string) {
    this.families = parse(text) as Family[];
    this.#plain = parse(text.replace(/^# (?:TYPE \S+ histogram|HELP .*)\n/gm, '')) as Family[];
  }

  /** Undefined when there is no such series. */
  value(name: string, labels: Labels = {}): number | undefined {
    const wanted = Object.entries(labels);
    const found = this.#samples(name).find(
      (each) =>
        Object.keys(each.labels ?? {}).length === wanted.length &&
        wanted.every(([label, value]) => each.labels?.[label] === value),
    );
    return found?.value === undefined ? undefined : Number(found.value);
  }

  /** `buckets`: cumulative, in the order of their upper bounds. */
  histogram(name: string, labels: Labels = {}): { count?: number; sum?: number; buckets: number[] } {
    const bounds = new Set(this.#samples(`${name}_bucket`).map((each) => each.labels?.le ?? ''));
    const buckets = [...bounds]
      .sort((left, right) => bound(left) - bound(right))
      .flatMap((le) => this.value(`${name}_bucket`, { ...labels, le }) ?? []);
    const [count, sum] = [this.value(`${name}_count`, labels), this.value(`${name}_sum`, labels)];
    return { ...(count !== undefined && { count }), ...(sum !== undefined && { sum }), buckets };
  }

  /** Every label value that is anywhere. */
  get labelValues(): string[] {
    return this.#plain.flatMap(({ metrics }) => metrics.flatMap(({ labels }) => Object.values(labels ?? {})));
  }

  #samples(name: string): Family['metrics'] {
    return this.#plain.find((each) => each.name === name)?.metrics ?? [];
  }
}

const bound = (text: string) => (text === '+Inf' ? Number.POSITIVE_INFINITY : Number(text));
