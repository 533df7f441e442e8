import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { rowsOnDisk } from '../history/evidence.ts';
import { atSomeMoment } from '../play/moment.ts';
import { headLine, olderSchemas, writeOlderJournal } from '../play/older-journal.ts';
import type { Scene } from '../play/scene.ts';
import type { Row } from '../row.ts';

/** Longest refusal, milliseconds. */
const refusalMs = 10_000;
/** A format that no release has. */
const future = 99;

/** What is there becomes what an earlier release had left, and the bridge takes it over. */
async function upgrade(scene: Scene): Promise<void> {
  const { house, history, random } = scene;
  const schema = olderSchemas[Math.floor(random() * olderSchemas.length)] ?? 1;
  writeOlderJournal(house.home.state, schema, rowsOnDisk(house.home.state));
  // Rows from before there was a key cannot be proven.
  scene.proven = schema > 1;
  scene.struck(`a journal of format ${schema}`);
  const { announced } = await house.up();
  const notices = JSON.stringify(announced?.notices ?? []);
  history.claim('an older journal is taken over without a word', notices === '[]', notices);
}

/** The head file names it, too: a format that stands in one of them only would be damage. @returns the one it had */
function setFormat(stateDir: string, format: number): number {
  const head = join(stateDir, 'journal.head');
  const [, rest = ''] = /^sj \d{3}( .*) \w{6}\n$/.exec(readFileSync(head, 'latin1')) ?? [];
  writeFileSync(head, headLine(`sj ${String(format).padStart(3, '0')}${rest}`));
  const db = new DatabaseSync(join(stateDir, 'journal.db'));
  try {
    const before = Number(db.prepare('pragma user_version').get()?.user_version);
    db.exec(`pragma user_version = ${format}`);
    return before;
  } finally {
    db.close();
  }
}

async function downgrade(scene: Scene): Promise<void> {
  const { house, history } = scene;
  const { state } = house.home;
  const format = setFormat(state, future);
  const before = JSON.stringify(rowsOnDisk(state));
  scene.struck('a journal of a later release');
  const older = house.start();
  const code = (await older.ready()) ? 0 : await older.exit(refusalMs);
  history.claim('a later journal is refused', code === 1 && older.said.includes('journal_newer'), older.said);
  await older.kill();
  history.claim('it stays as it was', JSON.stringify(rowsOnDisk(state)) === before);
  setFormat(state, format);
  await house.up();
}

export const upgradeRow: Row = {
  name: 'upgrade',
  does: 'SIGKILL while messages wait; the journal becomes one that an earlier release left, of any format there was, or, every third time, one of a later release',
  holds:
    'an older one is taken over, and what waited is answered; a later one is refused in words and stays as it was',
  short: 3,
  async play(scene) {
    const { house, history, random } = scene;
    await house.up();
    const talks = ['one', 'one', 'two', 'two'].map((session) => scene.talk(session));
    while (scene.goesOn) {
      await atSomeMoment(history, random, () => house.bridge.kill());
      if (scene.struckSoFar % 3 === 2) await downgrade(scene);
      else await upgrade(scene);
    }
    await Promise.all(talks);
    history.claim('the bridge runs', !house.bridge.over);
  },
};
