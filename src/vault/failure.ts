// Whatever goes wrong in a vault, as the envelope that says so.
import { failed } from '../domain/tools/tool-envelope.ts';
import type { Envelope } from '../protocol/envelope.ts';
import type { VaultSettings } from '../protocol/settings/vault.ts';
import { NoteFileError } from './files/folder.ts';
import { OutsideError } from './files/inside.ts';
import { VaultMissingError } from './files/vault-missing-error.ts';
import { IndexDamage } from './index/index-damage.ts';
import type { IndexerError } from './indexing/indexer-child.ts';
import type { MeaningAnswer } from './meaning/messages.ts';
import { MemoryError } from './memory/memory-error.ts';

/** @returns undefined for a fault of ours */
export function failureOf(error: unknown): Envelope | undefined {
  if (error instanceof OutsideError) return failed('SECURITY_VIOLATION', error.message);
  if (error instanceof NoteFileError) return failed('NO_SUCH_NOTE', error.message);
  if (error instanceof VaultMissingError) return failed('VAULT_UNREACHABLE', error.message);
  if (error instanceof IndexDamage)
    return failed('INDEX_CORRUPTED', `The index cannot be used: ${error.message}.`);
  if (error instanceof MemoryError)
    return failed('NOT_STORED', error.message, { suggestion: error.suggestion });
  return undefined;
}

/** What an answer says beside what an older state of the index gave. */
export const indexerFailure = ({ message }: IndexerError, data: Envelope['data'] = null): Envelope =>
  failed('INDEXER_FAILED', message, data === null ? {} : { status: 'degraded', data });

/** What an answer says beside what words alone gave. */
export function meaningFailure(
  answer: MeaningAnswer,
  embeddings: VaultSettings['embeddings'],
  data: Envelope['data'],
): Envelope {
  if (answer.kind !== 'fault') {
    const { done, total } = answer;
    const rest = answer.kind === 'building' ? 'Till it is of most, notes are' : 'The others are';
    const words = `What the notes mean is known of ${done} of ${total} parts. ${rest} found by their words alone.`;
    return failed('INDEX_BUILDING', words, { data });
  }
  const { reason, message, suggestion } = answer.fault;
  const words = `${message} Notes are found by their words alone.`;
  const options = { status: 'degraded', suggestion, data } as const;
  if (reason === 'damaged') return failed('INDEX_CORRUPTED', words, options);
  const isOllama = embeddings === 'ollama' && reason !== 'crashed' && reason !== 'disk_full';
  return failed(isOllama ? 'OLLAMA_UNREACHABLE' : 'EMBEDDINGS_UNAVAILABLE', words, options);
}
