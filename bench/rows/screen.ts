// P18: what following costs. CPU time of `synthesis attach` while events come at a steady rate, as a share of one core.
import { setTimeout as delay } from 'node:timers/promises';
import { StandInBridge } from '../../test/e2e/support/stand-in-bridge.ts';
import { Tui } from '../../test/e2e/support/tui.ts';
import type { Place } from '../harness/place.ts';
import { cpuMs } from '../harness/process-cost.ts';
import { type Goal, judge, type Row } from '../harness/row.ts';
import { beginTurns, streamAnswers } from '../subject/events-for-screen.ts';

const eventsPerSecond = 200;
const mostPicturesPerSecond = 10;
const rounds = 5;
const roundMs = 2000;
/** Until the code is compiled and the transcripts are longer than the screen, ms. */
const settleMs = 3000;

const goalAt = (columns: number, rows: number): Goal => ({
  id: 'P18',
  what: `synthesis attach, ${columns}x${rows}, ${eventsPerSecond} events/s, CPU time of a second`,
  against: 'a second of one core',
  atMost: 0.05,
  whyNotYet: 'Every picture is laid out anew, and ten of them are drawn in a second.',
});
export const smallScreenGoal = goalAt(80, 24);
export const largeScreenGoal = goalAt(200, 50);

/** Every picture is written between two of these: synchronized output. */
const picturesIn = (raw: string): number => raw.split('\x1b[?2026h').length - 1;

async function measure(place: Place, goal: Goal, columns: number, rows: number): Promise<Row> {
  await using bridge = await StandInBridge.open();
  beginTurns(bridge);
  await using tui = new Tui(['attach', '--state-dir', bridge.state], place.env, columns, rows);
  await tui.shows('4200');
  const stop = streamAnswers(bridge, eventsPerSecond);
  try {
    await delay(settleMs);
    const subject: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      const [cpu, began, drawn] = [cpuMs(tui.pid), performance.now(), tui.raw.length];
      await delay(roundMs);
      const seconds = (performance.now() - began) / 1000;
      const pictures = picturesIn(tui.raw.slice(drawn)) / seconds;
      if (pictures > mostPicturesPerSecond + 1)
        throw new Error(`it drew ${pictures.toFixed(1)} pictures in a second`);
      subject.push((cpuMs(tui.pid) - cpu) / seconds);
    }
    return judge(goal, { subject, reference: subject.map(() => 1000) });
  } finally {
    stop();
  }
}

export const smallScreen = (place: Place): Promise<Row> => measure(place, smallScreenGoal, 80, 24);
export const largeScreen = (place: Place): Promise<Row> => measure(place, largeScreenGoal, 200, 50);
