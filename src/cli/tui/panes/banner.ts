import type { PanicView } from '../../../domain/views/control.ts';
import { safeLine } from '../../output/safe.ts';
import type { Model } from '../model.ts';
import { type Line, line, span, spread } from '../text/line.ts';

/** Below the title: everything is stopped, or something is wrong with the bridge itself. A narrow screen cuts the rest. */
export function banner({ here: { panic, status } }: Model, cells: number): Line[] {
  if (panic) return [stopped(panic, cells)];
  const [notice] = status?.notices ?? [];
  return notice ? [spread(line(` ■ ${safeLine(notice.words)}`, 'alarm'), line(' ', 'alarm'), cells)] : [];
}

export const hasBanner = ({ here: { panic, status } }: Model): boolean =>
  panic !== null || (status?.notices ?? []).length > 0;

function stopped({ since, by, reason }: PanicView, cells: number): Line {
  const time = since.slice(11, 16);
  const why = reason === null ? by : `${reason} (${by})`;
  const left: Line = [span(` ■ ALL STOPPED since ${time} UTC   ${safeLine(why)}`)];
  return spread(left, [span('  U: go on ')], cells).map((each) => ({ ...each, tone: 'alarm' }));
}
