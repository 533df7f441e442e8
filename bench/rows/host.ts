// H1, H2: what it costs that keys, output and hooks go through a host.
import { spawnPty } from '../../src/host/program/pty.ts';
import { compare } from '../harness/compare.ts';
import { OwnedHost, shell, size } from '../harness/owned-host.ts';
import { fromBench, type Place } from '../harness/place.ts';
import { messageDisplay, poster } from '../harness/poster.ts';
import { Program } from '../harness/program.ts';
import { type Goal, judge, type Row } from '../harness/row.ts';
import { median } from '../harness/stats.ts';

const counts = { warmup: 2, counted: 11 };
/** Of one round, one after the other. */
const keys = 300;
const posts = 200;

/** Milliseconds that a hop may cost. */
const over = 0.5;

export const keyGoal: Goal = {
  id: 'H1',
  what: 'a key to its echo, p50, through a host',
  against: `a PTY of this process, and ${over} ms`,
  atMost: 1,
  whyNotYet: 'A key or its echo waits for a timer, or is copied more than once.',
};
const heardGoal: Goal = {
  id: 'H2',
  what: 'a hook POST until the owner of the host has it, p50',
  against: `reference/post-echo.ts, and ${over} ms`,
  atMost: 1,
  whyNotYet: 'A hook is looked into on its way, or waits for its answer.',
};
const answeredGoal: Goal = {
  ...heardGoal,
  what: 'a hook POST until Claude has its {}, p50',
  whyNotYet: 'A hook is answered only when its owner has it.',
};
export const postGoals = [heardGoal, answeredGoal];

/** A terminal that does nothing itself, and a program that gives back what it reads. */
const echoes = 'stty raw -echo; printf r; exec cat';

async function p50(times: number, once: () => Promise<void>): Promise<number> {
  const ms: number[] = [];
  for (let n = 0; n < times; n += 1) {
    const from = performance.now();
    await once();
    ms.push(performance.now() - from);
  }
  return median(ms);
}

export async function key(place: Place): Promise<Row> {
  await using host = await OwnedHost.start(place, 'keys', echoes);
  const ready = host.next('output');
  await host.attach();
  await ready;
  const pty = spawnPty({ ...shell(echoes), ...size });
  const said = () =>
    new Promise<void>((resolve) => {
      const { dispose } = pty.onData(() => {
        dispose();
        resolve();
      });
    });
  await said();
  const letter = Buffer.from('x');
  const hosted = async () => {
    const echo = host.next('output');
    host.say({ type: 'input' }, letter);
    await echo;
  };
  const bare = async () => {
    const echo = said();
    pty.write('x');
    await echo;
  };
  const contenders = {
    subject: () => p50(keys, hosted),
    reference: async () => (await p50(keys, bare)) + over,
  };
  try {
    return judge(keyGoal, await compare(contenders, counts));
  } finally {
    pty.kill('SIGKILL');
  }
}

type Post = (index: number) => Promise<void>;

function posting(url: string, token: string): Post {
  const post = poster(url, token);
  return (index) =>
    new Promise((resolve) => post(messageDisplay(index, `line ${index} of an answer\n`), () => resolve()));
}

export async function posted(place: Place): Promise<Row[]> {
  await using host = await OwnedHost.start(place, 'posts', 'exec cat');
  await using echo = await Program.start([fromBench('reference/post-echo.ts')], place.env);
  await host.attach();
  const [ours, theirs] = [
    posting(`${host.url}/hooks/tell/MessageDisplay`, host.token),
    posting(echo.text('url'), 'none'),
  ];
  let index = 0;
  const heardMs: number[] = [];
  const answeredMs = async () => {
    const heard: number[] = [];
    const answered: number[] = [];
    for (let n = 0; n < posts; n += 1) {
      const from = performance.now();
      const hook = host.next('hook').then(() => heard.push(performance.now() - from));
      await ours(index++);
      answered.push(performance.now() - from);
      await hook;
      host.say({ type: 'ack', through: index });
    }
    heardMs.push(median(heard));
    return median(answered);
  };
  const contenders = {
    subject: answeredMs,
    reference: async () => (await p50(posts, () => theirs(index))) + over,
  };
  const answered = await compare(contenders, counts);
  const heard = { subject: heardMs.slice(-counts.counted), reference: answered.reference };
  return [judge(heardGoal, heard), judge(answeredGoal, answered)];
}
