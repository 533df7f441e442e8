// Runs inside OpenClaw's gateway: no imports, and nothing in here may ever fail a turn.
// The stream wrapper knows the session id only; the hook before it knows the rest of the turn.

/** Turns remembered between hook and request; the oldest is forgotten first. */
const mostTurns = 500;
/** Longest value sent, characters: the bridge refuses more than 512. */
const longestValue = 500;

const turns = new Map();

function remember(context) {
  const id = context?.sessionId;
  if (typeof id !== 'string' || id === '') return;
  turns.delete(id);
  turns.set(id, context);
  if (turns.size > mostTurns) turns.delete(turns.keys().next().value);
}

/** The bridge refuses a request that names anything with these. */
const controls = /[\0-\x1f\x7f-\x9f\u2028\u2029]/;

/** Percent-encoded, so that any name fits into a header; left out when unknown or unreasonable. */
function encoded(value) {
  if (typeof value !== 'string' && typeof value !== 'number') return undefined;
  const text = String(value).toWellFormed();
  if (text === '' || text.length > longestValue || controls.test(text)) return undefined;
  return encodeURIComponent(text);
}

/** How a chat shows an answer that grows, by the configuration that holds now; undefined where it does not say so. */
function streamingOf(runtime, { messageProvider, channel, accountId }) {
  try {
    const settings = runtime.config.current().channels[messageProvider ?? channel];
    return settings.accounts?.[accountId]?.streaming?.mode ?? settings.streaming?.mode;
  } catch {
    return undefined;
  }
}

function headersOf(turn, agentId, sessionId, runtime) {
  const values = {
    'x-openclaw-session-key': turn.sessionKey,
    'x-openclaw-session-id': sessionId,
    'x-openclaw-agent-id': agentId ?? turn.agentId,
    'x-openclaw-channel': turn.messageProvider ?? turn.channel,
    'x-openclaw-chat-id': turn.chatId ?? turn.channelId,
    'x-openclaw-sender-id': turn.senderId,
    'x-openclaw-trigger': turn.trigger,
    'x-openclaw-run-id': turn.runId,
    'x-openclaw-streaming': streamingOf(runtime, turn),
  };
  const headers = {};
  for (const [name, value] of Object.entries(values)) {
    const text = encoded(value);
    if (text !== undefined) headers[name] = text;
  }
  return headers;
}

function withHeaders(options, agentId, runtime) {
  try {
    const sessionId = options?.sessionId;
    const headers = headersOf(turns.get(sessionId) ?? {}, agentId, sessionId, runtime);
    return { ...options, headers: { ...options?.headers, ...headers } };
  } catch {
    return options;
  }
}

export default {
  id: 'synthesis',
  name: 'Synthesis',
  register(api) {
    api.on('before_prompt_build', (_event, context) => remember(context));
    api.registerProvider({
      id: 'synthesis',
      label: 'Synthesis',
      auth: [],
      wrapStreamFn(context) {
        const inner = context?.streamFn;
        if (!inner) return undefined;
        return (model, prompt, options) =>
          inner(model, prompt, withHeaders(options, context.agentId, api.runtime));
      },
    });
  },
};
