import { setImmediate } from 'node:timers/promises';
import { silentLog } from '../../src/base/log.ts';
import { Dispatcher } from '../../src/bridge/app/dispatcher.ts';
import type { JournalPort } from '../../src/bridge/app/ports.ts';
import { openJournal } from '../../src/bridge/journal/start/open-journal.ts';

const sessions = 20;
const batches = 50;

/** Fills a state directory up to at least `rows` rows: answered turns of 20 sessions, 50 batches of text each. */
export async function fillJournal(dir: string, rows: number): Promise<void> {
  const { journal, base } = openJournal({ dir });
  const dispatcher = new Dispatcher({
    journal,
    limits: { queued: 1 },
    log: silentLog,
    perform: () => {},
    failed: (error) => {
      throw error;
    },
  });
  dispatcher.load(() => {}, base);
  for (let n = journal.last; journal.last < rows; n += 1) {
    answeredTurn(dispatcher, journal, n);
    // One transaction per turn.
    await setImmediate();
  }
  await journal.close();
}

function answeredTurn(dispatcher: Dispatcher, journal: JournalPort, n: number): void {
  const key = `bench:${n % sessions}`;
  const turn = `t${n}`;
  const launch = { cwd: '/', permissionMode: 'manual', delivery: 'auto' } as const;
  const before = journal.last;
  const dispatch = (command: Parameters<Dispatcher['dispatch']>[1]) => dispatcher.dispatch(key, command);
  dispatch({
    type: 'turn.submit',
    turn,
    claude: `c${n % sessions}`,
    launch,
    ingress: 'openai',
    text: `question ${n}`,
  });
  dispatch({ type: 'prompt.taken', turn, prompt: `p${n}` });
  for (let index = 0; index < batches; index += 1) {
    const text = `a line of an answer, number ${index}\n`;
    dispatch({ type: 'message.delta', message: `m${n}`, index, text, final: index === batches - 1 });
  }
  dispatch({ type: 'turn.rest', prompt: `p${n}` });
  dispatch({ type: 'reader.close', turn, request: `r${n}`, start: 0, offset: 2000, why: 'finished' });
  if (journal.last - before < batches) throw new Error('the core refused an ordinary turn');
}
