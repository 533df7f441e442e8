// What went wrong with a vault, for a person: what an agent would be told to do is for agents.
import type { Envelope } from '../../../../protocol/envelope.ts';
import { say } from '../../../output/out.ts';
import { safeLine } from '../../../output/safe.ts';
import { commandFor } from '../setup/choice.ts';

/** Says nothing of an envelope without an error. */
export function sayTrouble({ error }: Envelope, profile: string | undefined): void {
  if (!error) return;
  const { code, message, suggestion } = error;
  say(`${code}: ${safeLine(message)}\n${safeLine(remedies(profile)[code] ?? suggestion)}`);
}

const remedies = (profile: string | undefined): Readonly<Record<string, string>> => {
  const index = commandFor('index', profile);
  const doctor = commandFor('doctor', profile);
  return {
    INDEX_NOT_FOUND: `Make it: ${index}`,
    INDEX_CORRUPTED: `Make it anew: ${index}`,
    INDEX_BUILDING: `Bring it up to date: ${index}`,
    INDEXER_FAILED: `See what is wrong: ${doctor}; then try again: ${index}`,
    VAULT_UNREACHABLE: `Look at what it says: ${doctor}`,
    SENSITIVE_FILTERED: 'Open the note to read it.',
    INVALID_ARGUMENTS: 'Name at least one word of letters or digits.',
    SECURITY_VIOLATION: 'Name a folder by its path inside of the vault, such as Projects/House.',
  };
};
