// The text format that Prometheus reads, version 0.0.4.
import { type Definition, definitionOf, definitions, type MetricName } from './definitions.ts';
import type { Samples, Series } from './samples.ts';

export const metricsType = 'text/plain; version=0.0.4; charset=utf-8';

/** @param all of each metric one of them has values */
export function metricsText(all: readonly Samples[]): string {
  const names = Object.keys(definitions) as MetricName[];
  return names
    .flatMap((name) =>
      familyLines(
        name,
        all.flatMap((samples) => samples.of(name)),
      ),
    )
    .join('');
}

function familyLines(name: MetricName, series: readonly Series[]): string[] {
  if (series.length === 0) return [];
  const definition = definitionOf(name);
  const lines = series.flatMap((each) =>
    definition.type === 'histogram'
      ? histogramLines(name, definition, each)
      : [sample(name, labelled(definition, each), each.value)],
  );
  return [`# HELP ${name} ${definition.help}\n`, `# TYPE ${name} ${definition.type}\n`, ...lines];
}

/** Buckets of the format hold everything up to their bound. */
function histogramLines(name: string, definition: Definition, series: Series): string[] {
  const labels = labelled(definition, series);
  const bounds = [...(definition.buckets ?? []).map(String), '+Inf'];
  let count = 0;
  const buckets = bounds.map((bound, at) => {
    count += series.buckets?.[at] ?? 0;
    return sample(`${name}_bucket`, [...labels, ['le', bound]], count);
  });
  return [...buckets, sample(`${name}_sum`, labels, series.value), sample(`${name}_count`, labels, count)];
}

type Label = readonly [name: string, value: string];

const labelled = (definition: Definition, { labels }: Series): Label[] =>
  definition.labels.map((name, at) => [name, labels[at] ?? '']);

function sample(name: string, labels: readonly Label[], value: number): string {
  const inside = labels.map(([label, text]) => `${label}="${escaped(text)}"`).join(',');
  return `${name}${inside === '' ? '' : `{${inside}}`} ${value}\n`;
}

const escaped = (text: string) =>
  text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n').replaceAll('"', '\\"');
