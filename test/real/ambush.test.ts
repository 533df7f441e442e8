// A dialog that opens behind the prompt while a message is handed over: the real offer of the automatic mode, with "Yes"
// chosen. A program between the bridge and Claude Code takes our pin out, so that it is made.
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { claudePath } from './support/peers.ts';
import { WatchedWorld } from './support/watched-world.ts';

/** How many conversations are begun; `npm run hunt` begins more. */
const starts = Number(process.env.AMBUSHES ?? 6);

async function withoutPin(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'unpinned-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const program = join(folder, 'claude');
  const unpin = `for each; do [ "$before" = --settings ] && sed -i 's/"defaultMode"/"noMode"/' "$each"; before=$each; done`;
  await writeFile(program, `#!/bin/sh\n${unpin}\nexec '${claudePath()}' "$@"\n`, { mode: 0o755 });
  return program;
}

test('the offer of the automatic mode is never accepted by a message', async () => {
  await using world = await WatchedWorld.start('ambush', { claude: await withoutPin() });
  const settings = join(await world.home.directory('.claude'), 'settings.json');
  const own = JSON.stringify({ permissions: { defaultMode: 'manual' } });
  await writeFile(settings, own);
  const answers = [];
  for (let start = 0; start < starts; start += 1) {
    answers.push(await world.ask(`s${start}`, 'hello'));
    await world.command('stop', `s${start}`);
    expect(await readFile(settings, 'utf8')).toBe(own);
  }
  console.log(answers);
});
