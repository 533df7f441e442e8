// What the fields of OpenClaw's tools mean (2026.9.6, the schemas in its package).
import type { FieldTable } from './table.ts';

const file = 'path file_path filePath';

export const hubFields: FieldTable = {
  agents_list: {},
  apply_patch: { patch: 'input' },
  ask_user: { text: 'questions' },
  browser: {
    url: 'url targetUrl request.url',
    path: 'path paths request.path request.paths',
    code: 'fn request.fn',
    text: 'text label promptText request.text request.textGone textGone',
    flag: `action kind x y width height timeMs timeoutMs delayMs limit maxChars mode snapshotFormat refs interactive compact
      depth labels urls fullPage type level clear colorScheme accept doubleClick submit slowly stopOnError ref
      request.kind request.x request.y request.width request.height request.timeMs request.timeoutMs request.delayMs
      request.doubleClick request.submit request.slowly request.ref request.loadState`,
    power: 'target=auto node profile browser systemProfile into domains targetId request.targetId',
  },
  conversations_list: { flag: 'limit' },
  conversations_send: { power: 'conversationRef', text: 'message' },
  conversations_turn: { power: 'conversationRef', text: 'message', flag: 'timeoutSeconds' },
  create_goal: { text: 'goal objective title', flag: 'token_budget' },
  edit: {
    path: file,
    text: 'oldText newText old_string new_string edits[].oldText edits[].newText edits[].old_string edits[].new_string',
    flag: 'edits[].replaceAll edits[].replace_all replace_all',
  },
  exec: {
    command: 'command',
    folder: 'workdir',
    text: 'title',
    flag: 'yieldMs background timeoutSeconds timeout pty',
    power: 'env elevated host=auto node security ask',
  },
  gateway: { text: 'note', power: 'action path gatewayUrl gatewayToken', flag: 'timeoutMs' },
  get_goal: {},
  ls: { path: file, text: 'after', flag: 'limit' },
  memory_get: { path: 'path', flag: 'from lines corpus' },
  memory_search: { text: 'query', flag: 'maxResults minScore corpus' },
  message: {
    text: 'message caption voiceText quoteText presentation reason desc topic pollQuestion pollOption emoji clawhub.query',
    media: 'media image activityUrl attachments[].media mediaUrl attachments[].url attachments[].path',
    path: 'path filePath',
    flag: `contentType mimeType attachments[].type attachments[].mimeType asVoice silent gifPlayback forceDocument asDocument
      dryRun bestEffort limit pageSize remove`,
    power: `action channel target targets to accountId threadId replyTo gatewayUrl gatewayToken delivery filename buffer
      attachments[].name`,
  },
  pdf: { media: 'pdf pdfs', text: 'prompt pages', flag: 'model maxBytesMb', power: 'password' },
  process: {
    code: 'data text literal keys hex',
    flag: 'bracketed eof offset limit timeout',
    power: 'action sessionId',
  },
  read: { path: file, flag: 'offset limit cursor optional' },
  reply: { text: 'text message content' },
  session_status: { flag: 'model', power: 'sessionKey' },
  sessions_history: { flag: 'limit includeTools', power: 'sessionKey' },
  sessions_list: { flag: 'limit activeMinutes messageLimit kinds' },
  sessions_send: { text: 'message', flag: 'timeoutSeconds watch', power: 'sessionKey label agentId mode' },
  sessions_yield: { text: 'message acknowledgment', flag: 'waitFor' },
  tool_describe: { text: 'id' },
  tool_search: { text: 'query queries', flag: 'limit' },
  tts: { text: 'text', power: 'channel' },
  view_image: { media: 'path paths image images', text: 'prompt' },
  image: { media: 'image images', text: 'prompt', flag: 'model maxBytesMb maxImages' },
  web_fetch: { url: 'url', flag: 'extractMode maxChars' },
  web_search: {
    text: 'query',
    flag: 'count country language freshness date_after date_before search_lang ui_lang',
  },
  write: { path: file, text: 'content' },
};
