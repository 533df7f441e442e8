// The blocks of OpenClaw's internal context. Each begins with a label that ends in OpenClaw's mark; what people wrote
// stands in them as JSON, or with its line breaks taken out, so no line of theirs can be a label.
import { jsonOf } from '../request/json-text.ts';
import { CONTEXT_MARK } from './markers.ts';

export interface ContextBlock {
  /** Without the mark and the colon. */
  label: string;
  /** The JSON below the label. */
  value?: unknown;
  /** What else stands below it. */
  lines: string[];
}

/**
 * @param text between the markers: entries are JSON strings, one a line. Conversations that an older release began
 *   have them as they are.
 */
export function contextBlocks(text: string): ContextBlock[] {
  const entries = text.split('\n').flatMap((line) => {
    const entry = line.startsWith('"') ? jsonOf(line) : undefined;
    return typeof entry === 'string' ? [entry] : [];
  });
  return (labelOf(firstLine(text)) === undefined ? entries : [text]).filter(isOpenClaws).flatMap(blocksOf);
}

/** Heads a thread's messages, which in old conversations stand below it as they are. */
const threadNote = '[Thread ';

/** What a channel says of itself, its description for example, is anybody's text and may look like anything. */
const isOpenClaws = (entry: string): boolean => {
  const label = labelOf(firstLine(entry));
  return label !== undefined && label !== 'Context';
};

function blocksOf(entry: string): ContextBlock[] {
  const blocks: ContextBlock[] = [];
  let fenced = false;
  for (const line of entry.split('\n')) {
    const label = fenced ? undefined : labelOf(line);
    const block = blocks.at(-1);
    if (label === 'Context' || line.startsWith(threadNote)) break;
    if (label !== undefined) blocks.push({ label, lines: [] });
    else if (line === '```json' || line === '```') fenced = line === '```json';
    else if (block && fenced && block.value === undefined) block.value = jsonOf(line);
    else if (block && line !== '') block.lines.push(line);
  }
  return blocks;
}

const firstLine = (text: string): string => text.split('\n', 1)[0] ?? '';

const labelOf = (line: string): string | undefined =>
  line.endsWith(`: ${CONTEXT_MARK}`) ? line.slice(0, -CONTEXT_MARK.length - 2) : undefined;
