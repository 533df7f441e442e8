import type { PanicView } from '../../../domain/views/control.ts';
import { safeLine } from '../../output/safe.ts';
import { type Line, span, spread } from '../text/line.ts';

/** Below the title while everything is stopped. What matters stands first: a narrow screen cuts the rest. */
export function bannerLine({ since, by, reason }: PanicView, cells: number): Line {
  const time = since.slice(11, 16);
  const why = reason === null ? by : `${reason} (${by})`;
  const left: Line = [span(` ■ ALL STOPPED since ${time} UTC   ${safeLine(why)}`)];
  return spread(left, [span('  U: go on ')], cells).map((each) => ({ ...each, tone: 'alarm' }));
}
