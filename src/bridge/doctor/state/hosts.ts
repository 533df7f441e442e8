import { ok } from '../../../domain/views/check.ts';
import { goOnWords } from '../../../domain/views/words/claude-words.ts';
import { outlived } from '../../outlived.ts';
import type { Examination } from '../examination.ts';

const name = 'hosts';

/** What goes on without a bridge. One that runs says itself what does not fit: see `wiring/host-notices`. */
export const hosts: Examination = async ({ stateDir, running }) => {
  if (running) return [];
  const { count, since } = outlived(stateDir);
  if (count === 0) return [ok(name, 'No Claude Code goes on without a bridge.')];
  const at = `${new Date(since).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
  return [ok(name, `${goOnWords(count)} ${count === 1 ? 'It' : 'The oldest'} was started ${at}.`)];
};
