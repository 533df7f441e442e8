// The `Runtime: agent=… | session=… | …` line: OpenClaw's word on whose request it is. It stands at the end of the
// system prompt (releases up to 2026.7, and always on /v1/responses) or is moved to the end of the first user message
// (chat completions on 2026.9.6). A line at any other place was typed by somebody.
import { hasControlCharacter, MAX_IDENTITY_LENGTH } from '../request/identity-headers.ts';
import { type ProviderRequest, systemText, textsOf, type UserMessage } from '../request/provider-request.ts';

export interface RuntimeLine {
  agent?: string;
  /** Session key, e.g. `agent:main:telegram:group:-100777`; from 2026.7 on. */
  session?: string;
  sessionId?: string;
  channel?: string;
  /** Where it stood; in the user message it is to be stripped. */
  where: 'system' | 'user';
}

const wholeLine = /^Runtime: (?:name=[^|\n]*\| )?agent=[^\n]*$/;
const SEPARATOR = '\n\nRuntime: ';

export function findRuntimeLine(request: ProviderRequest): RuntimeLine | undefined {
  const inSystem = lineOfSystem(systemText(request));
  if (inSystem !== undefined) return { ...fieldsOf(inSystem), where: 'system' };
  const first = request.messages.find((message): message is UserMessage => message.role === 'user');
  const inUser = first && splitRuntimeLine(first).line;
  return inUser === undefined ? undefined : { ...fieldsOf(inUser), where: 'user' };
}

/**
 * Splits the line off the first user message: the last paragraph of a text, or a text part of its own at the end.
 * @returns the message's texts without it; all of them when there is none.
 */
export function splitRuntimeLine(message: UserMessage): { texts: string[]; line?: string } {
  const texts = textsOf(message);
  const last = texts.at(-1);
  if (last === undefined) return { texts };
  if (texts.length > 1 && wholeLine.test(last)) return { texts: texts.slice(0, -1), line: last };
  if (texts.length > 1) return { texts };
  const at = last.lastIndexOf(SEPARATOR);
  const line = last.slice(at + 2);
  return at !== -1 && wholeLine.test(line) ? { texts: [last.slice(0, at)], line } : { texts };
}

/** Only in the prompt's last `## Runtime` section, or at its very end in releases without that heading. */
function lineOfSystem(system: string): string | undefined {
  const heading = system.lastIndexOf('\n## Runtime\n');
  const tail = system.slice(heading === -1 ? Math.max(0, system.length - 2_000) : heading);
  return tail
    .split('\n')
    .filter((line) => wholeLine.test(line))
    .at(-1);
}

function fieldsOf(line: string): Omit<RuntimeLine, 'where'> {
  const fields: Record<string, string> = {};
  for (const pair of line.slice('Runtime: '.length).split(' | ')) {
    const at = pair.indexOf('=');
    const value = pair.slice(at + 1).trim();
    if (at > 0 && usable(value)) fields[pair.slice(0, at).trim()] ??= value;
  }
  const { agent, session, sessionId, channel } = fields;
  return {
    ...(agent ? { agent } : {}),
    ...(session ? { session } : {}),
    ...(sessionId ? { sessionId } : {}),
    ...(channel ? { channel } : {}),
  };
}

const usable = (value: string) =>
  value !== '' && value.length <= MAX_IDENTITY_LENGTH && !hasControlCharacter(value);
