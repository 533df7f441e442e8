// A dialog that opens behind the prompt while a message is handed over: the real offer of the automatic mode, with "Yes"
// chosen. A program between the bridge and Claude Code takes our pin out, so that it is made.
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { codeIn } from '../support/code-in.ts';
import { claudePath } from './support/peers.ts';
import { WatchedWorld } from './support/watched-world.ts';

/** How many conversations are begun. */
const starts = process.env.HUNT ? 60 : 4;

async function withoutPin(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'unpinned-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const program = join(folder, 'claude');
  const unpin = `for each; do [ "$before" = --settings ] && sed -i 's/"defaultMode"/"noMode"/' "$each"; before=$each; done`;
  await writeFile(program, `#!/bin/sh\n${unpin}\nexec '${claudePath()}' "$@"\n`, { mode: 0o755 });
  return program;
}

test('the offer of the automatic mode is never accepted by a message, which is answered by itself once that is gone', async () => {
  await using world = await WatchedWorld.start('ambush', { claude: await withoutPin() });
  const settings = join(await world.home.directory('.claude'), 'settings.json');
  const own = JSON.stringify({ permissions: { defaultMode: 'manual' } });
  await writeFile(settings, own);
  for (let start = 0; start < starts; start += 1) {
    const chat = `s${start}`;
    const told = await world.ask(chat, 'hello');
    expect(told).toContain('Make auto mode your default permission mode?');
    expect(told).toMatch(/1\. Yes, set auto mode.* \(preselected\)\n2\. No, keep/);
    expect(await readFile(settings, 'utf8')).toBe(own);
    // Claude Code makes the offer until somebody has answered it.
    if (start < starts - 1) await world.command('rm', chat);
    else expect(await world.ask(chat, `yes ${codeIn(told)} 2`)).toContain('echo: [user] hello');
  }

  const last = `s${starts - 1}`;
  await world.rests(last);
  expect(world.events(last, 'permission.decided')).toMatchObject([
    { by: 'chat', reason: expect.stringMatching(/^2\. No/) },
  ]);
  expect(await world.ask(last, 'and now?')).toContain('echo: [user] and now?');
  expect(world.api.turns).toHaveLength(2);
  expect(await readFile(settings, 'utf8')).toBe(own);
});
