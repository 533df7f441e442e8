import { definitionOf, definitions, type MetricName } from './definitions.ts';

/**
 * Series of one metric. Label values are bounded already; a mistake there must not fill the memory of whoever scrapes.
 * What is beyond it counts as `other`.
 */
export const mostSeries = 200;

export interface Series {
  /** In the order of the definition's labels. */
  labels: readonly string[];
  /** Of a histogram: the sum of what was observed. */
  value: number;
  /** Of a histogram: how many lay in each bucket, the last one without an upper bound. Not cumulative. */
  buckets?: number[];
}

/** The values of metrics. */
export class Samples {
  readonly #metrics = new Map<MetricName, Map<string, Series>>();

  /** Adds to a counter. */
  add(name: MetricName, labels: readonly string[] = [], by = 1): void {
    this.#series(name, labels).value += by;
  }

  /** Sets a gauge. */
  set(name: MetricName, value: number, labels: readonly string[] = []): void {
    this.#series(name, labels).value = value;
  }

  /** Takes a value into a histogram. What a clock that was set back makes negative is 0. */
  observe(name: MetricName, value: number, labels: readonly string[] = []): void {
    const series = this.#series(name, labels);
    const { buckets: bounds = [] } = definitionOf(name);
    const seen = Math.max(0, value);
    const found = bounds.findIndex((bound) => seen <= bound);
    const at = found < 0 ? bounds.length : found;
    series.buckets ??= bounds.map(() => 0).concat(0);
    series.buckets[at] = (series.buckets[at] ?? 0) + 1;
    series.value += seen;
  }

  /**
   * What rows count begins at 0 where it has no labels: what never happened is told from what is not counted. The
   * process counts for itself.
   */
  zero(): void {
    for (const name of Object.keys(definitions) as MetricName[]) {
      const { type, labels, buckets, told } = definitionOf(name);
      if (labels.length > 0 || type === 'gauge' || told || !name.startsWith('synthesis_')) continue;
      const series = this.#series(name, []);
      if (buckets) series.buckets = buckets.map(() => 0).concat(0);
    }
  }

  of(name: MetricName): Series[] {
    return [...(this.#metrics.get(name)?.values() ?? [])];
  }

  #series(name: MetricName, labels: readonly string[]): Series {
    const all = this.#metrics.get(name) ?? new Map<string, Series>();
    this.#metrics.set(name, all);
    const found = all.get(labels.join('\0'));
    if (found) return found;
    const names = all.size < mostSeries ? labels : labels.map(() => 'other');
    const key = names.join('\0');
    const series = all.get(key) ?? { labels: names, value: 0 };
    all.set(key, series);
    return series;
  }
}
