// What following costs: the CPU time and the pictures a second of `synthesis attach` while events come at a steady rate,
// in terminals of two sizes. `node scripts/measure-tui.ts [events a second] [seconds]`; needs a build.
import { readFileSync } from 'node:fs';
import { StandInBridge } from '../test/e2e/support/stand-in-bridge.ts';
import { Tui } from '../test/e2e/support/tui.ts';

const [rate = 200, seconds = 15] = process.argv.slice(2).map(Number);
/** Milliseconds between two handfuls of events. */
const beatMs = 25;
/** Clock ticks a second in /proc; 100 on every Linux that matters. */
const ticks = 100;
const sessions = Array.from({ length: 6 }, (_, at) => `agent:main:telegram:direct:${4200 + at}`);
const words = 'The suite passes on both machines; what is left is the note in the change log. ';

/** CPU seconds of a process so far, all of its threads. */
function cpuOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) / ticks;
}

/** Every picture is written between these two: synchronized output. */
const pictures = (raw: string): number => raw.split('\x1b[?2026h').length - 1;

async function measure(columns: number, rows: number) {
  await using bridge = await StandInBridge.open();
  for (const key of sessions) {
    bridge.append(
      key,
      { type: 'session.opened', ingress: 'openai' },
      { type: 'turn.queued', turn: `t-${key}`, ingress: 'openai', text: 'How is the build?', meta: {} },
      { type: 'agent.ready', pid: 4711, delivery: 'channel', health: [] },
      { type: 'turn.running', turn: `t-${key}` },
    );
  }
  const env = { PATH: process.env.PATH ?? '', HOME: bridge.path, LANG: 'C.UTF-8' };
  await using tui = new Tui(['attach', '--state-dir', bridge.state], env, columns, rows);
  await tui.shows('4200');
  let index = 0;
  const beat = setInterval(() => {
    for (let each = 0; each < (rate * beatMs) / 1000; each += 1) {
      const key = sessions[index % sessions.length] ?? '';
      const at = Math.floor(index / sessions.length);
      const text = `${words}(${index})\n`;
      bridge.append(key, {
        type: 'answer.delta',
        turn: `t-${key}`,
        message: 'm',
        index: at,
        text,
        final: false,
      });
      index += 1;
    }
  }, beatMs);
  const pause = (ms: number) => new Promise((done) => setTimeout(done, ms));
  await pause(3000);
  const [cpu, began, drawn, sent] = [cpuOf(tui.pid), performance.now(), pictures(tui.raw), index];
  await pause(seconds * 1000);
  const took = (performance.now() - began) / 1000;
  const result = {
    terminal: `${columns}x${rows}`,
    events_per_s: Math.round((index - sent) / took),
    cpu_percent: Number((((cpuOf(tui.pid) - cpu) / took) * 100).toFixed(1)),
    pictures_per_s: Number(((pictures(tui.raw) - drawn) / took).toFixed(1)),
  };
  clearInterval(beat);
  return result;
}

for (const [columns, rows] of [
  [80, 24],
  [200, 50],
] as const)
  console.log(JSON.stringify(await measure(columns, rows)));
