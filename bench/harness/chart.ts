// A curve on two logarithmic axes as SVG, on a dark ground of its own, as the other pictures of the docs have it.
import type { Point } from './growth.ts';

export interface Chart {
  title: string;
  /** What a size counts. */
  axis: string;
  curve: readonly Point[];
  /** Of the line through the curve. */
  power: number;
}

const box = { left: 64, right: 400, top: 56, bottom: 264 };
const colours = { text: '#d3d8e0', dim: '#7d8694', grid: '#2c323d', curve: '#98c379' };

/** A whole number of decades around all of these. */
function decades(values: readonly number[]): { from: number; to: number } {
  const from = Math.floor(Math.log10(Math.min(...values)));
  return { from, to: Math.max(from + 1, Math.ceil(Math.log10(Math.max(...values)))) };
}

const number = (decade: number): string => (10 ** decade).toLocaleString('en', { maximumFractionDigits: 6 });

export function chart({ title, axis, curve, power }: Chart): string {
  const sizes = decades(curve.map(({ size }) => size));
  const costs = decades(curve.map(({ cost }) => cost));
  const x = (size: number) =>
    box.left + ((Math.log10(size) - sizes.from) / (sizes.to - sizes.from)) * (box.right - box.left);
  const y = (cost: number) =>
    box.bottom - ((Math.log10(cost) - costs.from) / (costs.to - costs.from)) * (box.bottom - box.top);
  const text = (at: number, height: number, words: string, rest = '') =>
    `<text x="${at.toFixed(1)}" y="${height.toFixed(1)}" fill="${colours.dim}" ${rest}>${words}</text>`;
  const parts: string[] = [];
  for (let decade = sizes.from; decade <= sizes.to; decade += 1) {
    const at = x(10 ** decade).toFixed(1);
    parts.push(`<path d="M${at} ${box.top}V${box.bottom}" stroke="${colours.grid}"/>`);
    parts.push(text(x(10 ** decade), box.bottom + 18, number(decade), 'text-anchor="middle"'));
  }
  for (let decade = costs.from; decade <= costs.to; decade += 1) {
    const at = y(10 ** decade);
    parts.push(`<path d="M${box.left} ${at.toFixed(1)}H${box.right}" stroke="${colours.grid}"/>`);
    parts.push(text(box.left - 8, at + 4, number(decade), 'text-anchor="end"'));
  }
  const at = (points: readonly Point[]) =>
    points.map(({ size, cost }) => `${x(size).toFixed(1)},${y(cost).toFixed(1)}`).join(' ');
  const [first] = curve;
  const straight = first ? curve.map(({ size }) => ({ size, cost: (first.cost * size) / first.size })) : [];
  const middle = (box.top + box.bottom) / 2;
  return [
    text(box.left, 26, title, `font-size="14" font-weight="600" style="fill:${colours.text}"`),
    text(box.left, 44, `power ${power.toFixed(2)}; dashed: power 1 from the first point`),
    ...parts,
    `<polyline points="${at(straight)}" fill="none" stroke="${colours.dim}" stroke-dasharray="5 4"/>`,
    `<polyline points="${at(curve)}" fill="none" stroke="${colours.curve}" stroke-width="2"/>`,
    ...curve.map((point) => {
      const [cx = '', cy = ''] = at([point]).split(',');
      return `<circle cx="${cx}" cy="${cy}" r="4" fill="${colours.curve}"/>`;
    }),
    text((box.left + box.right) / 2, box.bottom + 40, axis, 'text-anchor="middle"'),
    text(0, 0, 'CPU time, ms', `text-anchor="middle" transform="translate(18 ${middle}) rotate(-90)"`),
  ].join('\n');
}
