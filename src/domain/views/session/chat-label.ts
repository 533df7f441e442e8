// What a conversation is called for a person: the app and the chat first, its id last. Only for the shapes of keys that
// OpenClaw and the bridge itself make; whatever else a client names its conversation is left as it is.

export interface ChatLabel {
  /** `telegram group`, `subagent`; '' for a name that has no such part. */
  about: string;
  /** What is cut first when there is no room, in its middle. */
  id: string;
  /** `topic 42`, and the agent unless it is `main`. */
  more: string;
}

const kinds = new Set(['direct', 'dm', 'group', 'channel', 'room']);
const parts = new Set(['topic', 'thread']);
/** Sessions that belong to no chat: `agent:main:cron:<job>`. */
const chatless = new Set(['subagent', 'cron', 'acp', 'hook']);

const joined = (...words: (string | undefined)[]): string => words.filter(Boolean).join(' ');

/** All of it in a row, as lists show it where there is room. @returns undefined for a key of another shape */
export function chatName(key: string): string | undefined {
  const label = chatLabel(key);
  return label && joined(label.about, label.id, label.more);
}

/** @returns undefined for a key of another shape */
export function chatLabel(key: string): ChatLabel | undefined {
  const [first, agent, ...rest] = key.split(':');
  if (first?.startsWith('openclaw-cron-') && agent === undefined)
    return { about: 'cron', id: first.slice('openclaw-cron-'.length), more: '' };
  if (!agent || rest.length === 0 || rest.includes('')) return undefined;
  const whose = agent === 'main' ? undefined : `· ${agent}`;
  // The bridge's own name for a chat of a release that does not tell its key: openclaw:<agent>:<channel>:<chat>.
  if (first === 'openclaw' && rest.length >= 2)
    return { about: rest[0] ?? '', id: rest.slice(1).join(':'), more: joined(whose) };
  if (first !== 'agent') return undefined;
  if (rest.length === 1 && rest[0] === 'main') return { about: '', id: 'main', more: joined(whose) };
  const [word = '', ...named] = rest;
  if (chatless.has(word) && named.length > 0)
    return { about: word, id: named.join(':'), more: joined(whose) };
  return inChat(rest, whose);
}

/** `<channel>:<kind>:<id>`, with an account before the kind, without a channel, with a topic or a thread behind. */
function inChat(rest: readonly string[], whose: string | undefined): ChatLabel | undefined {
  const at = rest.slice(0, 3).findIndex((each) => kinds.has(each));
  if (at === -1 || at === rest.length - 1) return undefined;
  const [channel, account] = rest.slice(0, at);
  const part = rest.findIndex((each, index) => index > at + 1 && parts.has(each));
  const within = part !== -1 && part < rest.length - 1 ? part : rest.length;
  const where = rest.slice(within);
  return {
    about: joined(channel, rest[at]),
    id: rest.slice(at + 1, within).join(':'),
    more: joined(
      where.length > 0 ? `${where[0]} ${where.slice(1).join(':')}` : undefined,
      account && `@${account}`,
      whose,
    ),
  };
}
