import { findSecrets } from '../../src/secrets/find-secrets.ts';
import type { PublishedKind } from './published-kinds.ts';

/** What is found of a sample in the midst of a note. */
export function kindOf({ sample }: PublishedKind): string | undefined {
  if (!sample) return undefined;
  const text = `# Notes\n\n${sample.text}\n\nMore.\n`;
  const start = text.indexOf(sample.secret);
  const end = start + sample.secret.length;
  return findSecrets(text).find((secret) => secret.start <= start && secret.end >= end)?.kind;
}
