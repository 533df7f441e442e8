// OpenClaw asks a model to summarise its own transcript before it shortens it. Claude Code keeps the conversation
// itself, so a stub is enough: the format that was asked for, the latest part, and every identifier in it.

/** Longest part of the conversation that is kept, UTF-16 code units. */
const MAX_TAIL = 4_000;
const MAX_REQUEST = 500;
const MAX_IDENTIFIERS = 40;

const NOTE =
  'Claude Code keeps the full history of this conversation itself; nothing of it depends on this summary.';
const DEFAULT_SECTIONS = ['Latest request', 'Recent conversation', 'Exact identifiers'];
const identifiers =
  /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|https?:\/\/[^\s"'<>)\]]+|\b[0-9a-f]{12,64}\b/gi;

/**
 * @param prompt the user message of a compaction call: `<conversation>…</conversation>`, then the sections wanted.
 * @returns those sections in markdown, at most about 7,000 characters.
 */
export function summaryOf(prompt: string): string {
  const { conversation, instructions } = split(prompt);
  const wanted = sectionsOf(instructions);
  const sections = wanted.length > 0 ? wanted : DEFAULT_SECTIONS;
  const place = { tail: tailSection(sections), conversation };
  return sections.map((title) => `## ${title}\n${bodyOf(title, place)}`).join('\n\n');
}

function split(prompt: string): { conversation: string; instructions: string } {
  const open = prompt.indexOf('<conversation>');
  const close = prompt.lastIndexOf('</conversation>');
  if (open === -1 || close < open) return { conversation: prompt.trim(), instructions: '' };
  return {
    conversation: prompt.slice(open + '<conversation>'.length, close).trim(),
    instructions: prompt.slice(close),
  };
}

/** Headings of the format asked for, not those inside of quoted text. */
function sectionsOf(instructions: string): string[] {
  const own = instructions.replace(/<untrusted-text>[\s\S]*?(?:<\/untrusted-text>|$)/g, '');
  const titles = [...own.matchAll(/^## ([^\n]{1,80})$/gm)].map((match) => (match[1] ?? '').trim());
  return [...new Set(titles)].filter((title) => title !== '').slice(0, 12);
}

const isRequest = (title: string) => /request|goal|\basks?\b/i.test(title);
const isIdentifiers = (title: string) => /identifier/i.test(title);

/** Where the latest part goes: a section about context or progress, else the first that is free. */
function tailSection(sections: readonly string[]): string | undefined {
  const free = sections.filter((title) => !isRequest(title) && !isIdentifiers(title));
  return free.find((title) => /context|conversation|progress/i.test(title)) ?? free[0];
}

function bodyOf(title: string, place: { tail: string | undefined; conversation: string }): string {
  const { tail, conversation } = place;
  if (title === tail) return `${NOTE} Its latest part:\n\n${latestPart(conversation)}`;
  if (isIdentifiers(title)) return identifiersIn(conversation);
  if (isRequest(title)) return latestRequest(conversation);
  return 'None recorded here.';
}

function latestPart(conversation: string): string {
  if (conversation.length <= MAX_TAIL) return conversation === '' ? 'None.' : conversation;
  const tail = conversation.slice(-MAX_TAIL).toWellFormed();
  const line = tail.indexOf('\n');
  return `[… earlier part left out …]\n${line === -1 || line > MAX_TAIL / 2 ? tail : tail.slice(line + 1)}`;
}

/** The last line that starts with `[User]:` or `User:`, with or without attributes. */
function latestRequest(conversation: string): string {
  const line = conversation.split('\n').findLast((each) => /^\[?User\b[^\n]{0,200}?\]?:/i.test(each));
  return line === undefined ? 'None.' : line.slice(0, MAX_REQUEST).toWellFormed();
}

function identifiersIn(conversation: string): string {
  const found = [...new Set(conversation.match(identifiers) ?? [])].slice(-MAX_IDENTIFIERS);
  return found.length > 0 ? found.map((each) => `- ${each}`).join('\n') : 'None.';
}
