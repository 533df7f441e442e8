// What is too long to be typed reaches the real Claude Code, or fails once and leaves a conversation that works.
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { claudePath } from './support/peers.ts';
import { claudePids } from './support/processes.ts';
import { World } from './support/world.ts';

const rows = (count: number, word: string) =>
  Array.from({ length: count }, (_, row) => `${word} ${row} `.padEnd(99, 'and so on '))
    .join('\n')
    .trimEnd();

const config = { limits: { messageCharacters: 300_000 } };

test('100 KB in 1,000 lines and 300 KB in 3,000 arrive to the letter, and so does what follows', async () => {
  await using world = await World.start('long', { config });
  world.api.on(
    () => true,
    (answer) => answer.text('read it'),
  );
  for (const [count, word] of [
    [1000, 'one'],
    [2999, 'two'],
    [1000, 'three'],
  ] as const) {
    for (const each of [rows(count, word), `short ${word}`]) {
      expect(await world.bridge.ask('reader', each)).toBe('read it');
      expect(world.api.turns.at(-1)?.newest.endsWith(each)).toBe(true);
      expect(world.api.turns.at(-1)?.newest).not.toContain('<pasted_content');
    }
  }
});

test('where another editor opens, a long text fails once and within seconds, and the next message arrives', async () => {
  // Sessions override an editor of the user's settings: this program takes that out.
  const folder = await mkdtemp(join(tmpdir(), 'own-editor-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const program = join(folder, 'claude');
  const unpin = `for each; do [ "$before" = --settings ] && sed -i 's/"EDITOR"/"A"/; s/"VISUAL"/"B"/' "$each"; before=$each; done`;
  await writeFile(program, `#!/bin/sh\n${unpin}\nexec '${claudePath()}' "$@"\n`, { mode: 0o755 });
  await using world = await World.start('editor', { config, claude: program });
  const own = join(world.home.path, 'own-editor');
  await writeFile(own, '#!/bin/sh\nexec sleep 600\n', { mode: 0o755 });
  await mkdir(join(world.home.path, '.claude'), { recursive: true });
  const settings = { env: { EDITOR: own, VISUAL: own } };
  await writeFile(join(world.home.path, '.claude/settings.json'), JSON.stringify(settings));
  world.api.on(
    () => true,
    (answer) => answer.text('read it'),
  );
  expect(await world.bridge.ask('reader', 'good morning')).toBe('read it');
  const session = world.api.turns.at(-1)?.session ?? '-';
  const [pid] = await claudePids(session);

  const before = performance.now();
  expect(await world.bridge.ask('reader', rows(1000, 'row'))).toContain('could not be handed to Claude Code');
  expect(performance.now() - before).toBeLessThan(15_000);
  for (const each of ['still there?', 'and now?'])
    expect(await world.bridge.ask('reader', each)).toBe('read it');
  expect(world.api.turns.at(-1)?.session).toBe(session);
  expect(world.api.turns.at(-1)?.userTexts.at(0)).toContain('good morning');
  expect(await claudePids(session)).not.toContain(pid);
});
