// What is said of metrics, and what is built on them, against what there is.
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { type Definition, definitions } from '../../src/bridge/metrics/definitions.ts';
import { page, rows } from './pages.ts';

test('the reference has every metric with its type, its labels and its help, and no other', () => {
  const listed = rows(page('docs/reference/metrics.md').text, 'Every metric').slice(1);
  const there = Object.entries(definitions).map(([name, { type, labels, help }]: [string, Definition]) => [
    `\`${name}\``,
    type,
    labels.map((label) => `\`${label}\``).join(', '),
    help,
  ]);
  expect(listed).toEqual(there);
});

interface Panel {
  id: number;
  type: string;
  title: string;
  gridPos: { x: number; y: number; w: number; h: number };
  targets?: { refId: string; expr: string; legendFormat: string }[];
}

const dashboard = JSON.parse(page('extras/grafana/synthesis.json').text) as { panels: Panel[] };
const alerts = parse(page('extras/grafana/alerts.yaml').text) as {
  groups: { rules: { alert: string; expr: string; annotations: { summary: string } }[] }[];
};
const rules = alerts.groups.flatMap((group) => group.rules);
const targets = dashboard.panels.flatMap((panel) => panel.targets ?? []);
const expressions = [...targets, ...rules].map(({ expr }) => expr);

/** What Prometheus adds to each series, and to the buckets of a histogram. */
const fromOutside = ['job', 'le'];

/** The metric that a name in an expression is of, when there is one. */
function definitionNamed(name: string): Definition | undefined {
  const known: Record<string, Definition> = definitions;
  const whole = known[name];
  if (whole) return whole.type === 'histogram' ? undefined : whole;
  const part = known[name.replace(/_(?:bucket|sum|count)$/, '')];
  return part?.type === 'histogram' ? part : undefined;
}

const namesIn = (expr: string) => expr.match(/\b(?:synthesis|process|nodejs)_\w+/g) ?? [];

test('every metric that the dashboard or a rule for alerts names exists, histograms by one of their parts', () => {
  expect(targets.length).toBeGreaterThan(20);
  expect(rules.length).toBeGreaterThan(5);
  for (const expr of expressions) expect(namesIn(expr), expr).not.toEqual([]);
  const unknown = expressions.flatMap(namesIn).filter((name) => !definitionNamed(name));
  expect(unknown).toEqual([]);
});

test('every label that they name belongs to a metric of the same expression', () => {
  for (const expr of expressions) {
    const known = new Set([
      ...fromOutside,
      ...namesIn(expr).flatMap((name) => definitionNamed(name)?.labels ?? []),
    ]);
    const grouped = [...expr.matchAll(/\bby \(([^)]*)\)/g)].flatMap(([, list = '']) => list.split(', '));
    const compared = [...expr.matchAll(/(\w+)[!=]~?=?"/g)].map(([, label = '']) => label);
    for (const label of [...grouped, ...compared]) expect(known, `${label} in ${expr}`).toContain(label);
  }
  for (const { expr, legendFormat } of targets)
    for (const [, label = ''] of legendFormat.matchAll(/\{\{(\w+)\}\}/g))
      expect(namesIn(expr).flatMap((name) => definitionNamed(name)?.labels ?? [])).toContain(label);
});

test('a counter is only ever looked at as a rate or an increase', () => {
  for (const expr of expressions)
    for (const name of namesIn(expr))
      if (definitionNamed(name)?.type !== 'gauge')
        expect(expr).toMatch(new RegExp(`(?:rate|increase)\\(${name}\\b`));
});

test('no panel of the dashboard covers another, and each has a title and an id of its own', () => {
  const { panels } = dashboard;
  expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
  for (const { title, gridPos } of panels) {
    expect(title).not.toBe('');
    expect(gridPos.x + gridPos.w).toBeLessThanOrEqual(24);
  }
  const meets = (from: number, long: number, other: number, otherLong: number) =>
    from < other + otherLong && other < from + long;
  const covered = panels.flatMap(({ title, gridPos: a }, at) =>
    panels
      .slice(at + 1)
      .filter(({ gridPos: b }) => meets(a.x, a.w, b.x, b.w) && meets(a.y, a.h, b.y, b.h))
      .map((other) => `${title} / ${other.title}`),
  );
  expect(covered).toEqual([]);
});
