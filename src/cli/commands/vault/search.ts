// vault search: what Claude would find, for a person.
import type { Envelope } from '../../../protocol/envelope.ts';
import { exitOf } from '../../envelope-exit.ts';
import { exitCodes } from '../../exit-codes.ts';
import { printJson, say } from '../../output/out.ts';
import { printLines } from '../../output/painted.ts';
import { hitLines, type Places } from '../../output/words/hit-lines.ts';
import { SearchFacts } from './index-state/facts.ts';
import { openedToIndex } from './index-state/opened.ts';
import { sayTrouble } from './index-state/trouble.ts';
import { chosenVault, type VaultOf } from './setup/choice.ts';

export interface SearchOptions extends VaultOf {
  query: string;
  limit: number;
  folder?: string;
  tag?: string;
  json: boolean;
}

export async function vaultSearch(options: SearchOptions): Promise<number> {
  const { state, profile, query, limit, folder, tag, json } = options;
  using open = await openedToIndex(state, chosenVault(profile));
  const envelope = await open.vault.search({ query, limit, folder, tag });
  if (json) printJson(envelope);
  else {
    const { placesOf, stemsOf } = await import('../../../vault/search/stems.ts');
    const stems = stemsOf(query);
    show(envelope, (text) => placesOf(text, stems));
    sayTrouble(envelope, profile);
  }
  return exitCodes[exitOf(envelope)];
}

function show({ data }: Envelope, places: Places): void {
  const found = SearchFacts.safeParse(data).data;
  if (!found) return;
  const { results, withheld: hidden } = found;
  const columns = process.stdout.columns || undefined;
  for (const [at, hit] of results.entries())
    printLines([...(at > 0 ? [[]] : []), ...hitLines(hit, { hidden, places, columns })]);
  if (results.length === 0)
    say(
      'Nothing found.\nTry fewer or other words: those count that stand in the notes, and a note needs one of them.',
    );
}
