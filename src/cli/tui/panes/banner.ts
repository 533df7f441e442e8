import type { PanicView } from '../../../domain/views/control.ts';
import { safeLine } from '../../output/safe.ts';
import type { Model } from '../model/model.ts';
import { boards } from '../nodes/nodes.ts';
import { type Line, line, span, spread } from '../text/line.ts';

/** Below the title: everything is stopped, or something is wrong with a bridge itself. A narrow screen cuts the rest. */
export function banner(model: Model, cells: number): Line[] {
  const words = stopped(model);
  if (words) return [spread(line(words), [span('  U: go on ')], cells).map(alarming)];
  const [notice] = notices(model);
  return notice === undefined ? [] : [spread(line(` ■ ${safeLine(notice)}`), line(' '), cells).map(alarming)];
}

const alarming = (each: Line[number]): Line[number] => ({ ...each, tone: 'alarm' });

export const hasBanner = (model: Model): boolean => stopped(model) !== undefined || notices(model).length > 0;

/** Those of another machine with its name. */
const notices = (model: Model): string[] =>
  boards(model).flatMap(([node, { status }]) =>
    (status?.notices ?? []).map(({ words }) => (status === model.here.status ? words : `${node}: ${words}`)),
  );

/** Machines that were away when the others were stopped are not. */
function stopped(model: Model): string | undefined {
  const all = boards(model);
  const held = all.flatMap(([node, { panic }]) => (panic ? [{ node, panic }] : []));
  const [first] = held;
  if (!first) return undefined;
  const where =
    held.length === all.length ? 'ALL STOPPED' : `STOPPED on ${held.map(({ node }) => node).join(', ')}`;
  return ` ■ ${safeLine(where)} since ${sinceWords(first.panic)}`;
}

function sinceWords({ since, by, reason }: PanicView): string {
  return `${since.slice(11, 16)} UTC   ${safeLine(reason === null ? by : `${reason} (${by})`)}`;
}
