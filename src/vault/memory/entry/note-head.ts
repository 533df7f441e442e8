// What a note of memories begins with.
import { quietInline } from './quiet.ts';

/** YAML reads these as something else than text. */
const noText = /^(?:\p{N}.*|true|false|null|yes|no|on|off|y|n)$/iu;

/** @param created local date */
export function noteHead(title: string, tags: readonly string[], created: string): string {
  const all = ['memory', ...tags.filter((tag) => tag.toLowerCase() !== 'memory')];
  const list = all.map((tag) => (noText.test(tag) ? JSON.stringify(tag) : tag)).join(', ');
  return `---\ncreated: ${created}\ntags: [${list}]\nsource: synthesis\n---\n\n# ${quietInline(title)}\n\n`;
}
