// What the fields of the bridge's own tools mean.
import { vaultTools } from '../../../protocol/settings/vault.ts';
import type { FieldTable } from './table.ts';

export const vaultFields: FieldTable = {
  [vaultTools.search]: { text: 'query folder tag', flag: 'limit' },
  [vaultTools.status]: {},
  [vaultTools.index]: { flag: 'rebuild' },
  [vaultTools.store]: { text: 'text topic tags links' },
  [vaultTools.release]: { power: 'release' },
};
