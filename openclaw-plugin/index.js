// Runs inside OpenClaw's gateway: no imports, and nothing in here may ever fail a turn.
// The stream wrapper knows the session id only; the hook before it knows the rest of the turn.

const providerId = 'synthesis';
/** Sessions remembered; the oldest is forgotten first. */
const mostSessions = 500;
/** Longest value sent, characters: the bridge refuses more than 512. */
const longestValue = 500;
/** Whoever does not take the news of a message by then gets the message itself, milliseconds. */
const warmMs = 2_000;

/** By session id: the turn between its hook and its request. */
const turns = new Map();
/** By session key: the provider of its latest turn. */
const providers = new Map();

function put(map, key, value) {
  if (typeof key !== 'string' || key === '') return;
  map.delete(key);
  map.set(key, value);
  if (map.size > mostSessions) map.delete(map.keys().next().value);
}

function remember(context) {
  put(turns, context?.sessionId, context);
  if (context?.modelProviderId) put(providers, context.sessionKey, context.modelProviderId);
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

function encodedAll(values) {
  const headers = {};
  for (const [name, value] of Object.entries(values)) {
    const text = encoded(value);
    if (text !== undefined) headers[name] = text;
  }
  return headers;
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
  return encodedAll({
    'x-openclaw-session-key': turn.sessionKey,
    'x-openclaw-session-id': sessionId,
    'x-openclaw-agent-id': agentId ?? turn.agentId,
    'x-openclaw-channel': turn.messageProvider ?? turn.channel,
    'x-openclaw-chat-id': turn.chatId ?? turn.channelId,
    'x-openclaw-sender-id': turn.senderId,
    'x-openclaw-trigger': turn.trigger,
    'x-openclaw-run-id': turn.runId,
    'x-openclaw-streaming': streamingOf(runtime, turn),
  });
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

/** By the latest turn of the session; before the first one, by what its agent is configured to use. */
function isOurs(sessionKey, runtime, cfg) {
  const known = providers.get(sessionKey);
  if (known !== undefined) return known === providerId;
  const agentId = /^agent:([^:]+):/.exec(sessionKey)?.[1];
  return runtime.modelConfig.resolveDefaultModelForAgent({ cfg, agentId })?.provider === providerId;
}

/** OpenClaw works for half a second before it asks for the answer: Claude Code can start meanwhile. */
async function warm(event, context, runtime) {
  try {
    const { sessionKey } = context;
    const cfg = runtime.config.current();
    const name = encoded(sessionKey);
    // A command is answered by OpenClaw itself.
    if (name === undefined || String(event.content).startsWith('/') || !isOurs(sessionKey, runtime, cfg))
      return;
    const { apiKey } = await runtime.modelAuth.resolveApiKeyForProvider({ provider: providerId, cfg });
    const { baseUrl, headers } = cfg.models.providers[providerId];
    const authorization = `Bearer ${apiKey}`;
    await fetch(`${baseUrl}/warm`, {
      method: 'POST',
      headers: { ...headers, authorization, 'x-openclaw-session-key': name },
      signal: AbortSignal.timeout(warmMs),
    });
  } catch {
    // The message itself comes all the same.
  }
}

export default {
  id: providerId,
  name: 'Synthesis',
  register(api) {
    api.on('message_received', (event, context) => void warm(event, context, api.runtime));
    api.on('before_prompt_build', (_event, context) => remember(context));
    api.registerProvider({
      id: providerId,
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
