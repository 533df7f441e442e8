// Every function through which a foreign text goes whole. A new one is a line here: the unit test then runs it over
// every hostile shape, and the benchmark says how its time grows.
import { LineSplitter } from '../../src/base/text/lines.ts';
import { fitsWildcard } from '../../src/base/text/wildcard.ts';
import { holdsText, normalise, sameText, typePlan } from '../../src/bridge/claude/delivery/typist.ts';
import { bootstrap } from '../../src/bridge/claude/launch/bootstrap.ts';
import { showsInput } from '../../src/bridge/claude/permission/permission-ask.ts';
import { dialogOn, knownDialog } from '../../src/bridge/claude/screen/dialogs.ts';
import { readStartExit } from '../../src/bridge/claude/screen/exit-reading.ts';
import { readScreen, screenTail } from '../../src/bridge/claude/screen/screen-reader.ts';
import { failureCode } from '../../src/bridge/claude/turn/turn-failure.ts';
import { kindOf, toolCall } from '../../src/bridge/ingress/agp/tool-call.ts';
import { sseEvent } from '../../src/bridge/ingress/openai/answer/sse.ts';
import { identify } from '../../src/bridge/ingress/openai/identity/identity.ts';
import { withAttachments } from '../../src/bridge/ingress/openai/input/attachments.ts';
import { classify } from '../../src/bridge/ingress/openai/input/classify.ts';
import { contextBlocks } from '../../src/bridge/ingress/openai/input/context-blocks.ts';
import { quotesOf } from '../../src/bridge/ingress/openai/input/context-quotes.ts';
import { afterQueued, readInboundText } from '../../src/bridge/ingress/openai/input/inbound-text.ts';
import { openClawFacts } from '../../src/bridge/ingress/openai/input/openclaw-facts.ts';
import { spokenWords } from '../../src/bridge/ingress/openai/input/spoken.ts';
import { matchCallId } from '../../src/bridge/ingress/openai/request/call-id.ts';
import { jsonOf } from '../../src/bridge/ingress/openai/request/json-text.ts';
import {
  readChatRequest,
  readResponsesRequest,
} from '../../src/bridge/ingress/openai/request/read-request.ts';
import { summaryOf } from '../../src/bridge/ingress/openai/utility/summary.ts';
import { titleOf } from '../../src/bridge/ingress/openai/utility/title.ts';
import { readResult } from '../../src/bridge/tools/results/read-result.ts';
import { checkSchema } from '../../src/bridge/tools/schema/tool-schema.ts';
import { cleanWords } from '../../src/bridge/tools/words/clean-words.ts';
import { toChannelEvent } from '../../src/channel/notify.ts';
import { safe, safeJson, safeLine, safeProse } from '../../src/cli/output/safe.ts';
import { table } from '../../src/cli/output/table.ts';
import { checkLines } from '../../src/cli/output/words/check-line.ts';
import { keysOnly } from '../../src/cli/terminal/input-filter.ts';
import { foldLine, foldProse } from '../../src/cli/text/fold-line.ts';
import { clip, clipMiddle, clipStart, ruler, width } from '../../src/cli/text/width.ts';
import { wrap } from '../../src/cli/text/wrap.ts';
import { wrapWords } from '../../src/cli/text/wrap-words.ts';
import { fitLine, line } from '../../src/cli/tui/text/line.ts';
import { paint } from '../../src/cli/tui/text/paint.ts';
import { withQuotes } from '../../src/domain/message/quote.ts';
import { claudeCall } from '../../src/domain/policy/call.ts';
import { judge } from '../../src/domain/policy/judge.ts';
import { answersTo, askedQuestions } from '../../src/domain/question/asked-questions.ts';
import { askerOf } from '../../src/domain/question/asker.ts';
import { inline } from '../../src/domain/question/dialect.ts';
import { digestOf } from '../../src/domain/question/picture.ts';
import { chatParts, partText, questionText } from '../../src/domain/question/question-text.ts';
import { readVerdict } from '../../src/domain/question/verdict.ts';
import { wholeText } from '../../src/domain/question/whole-text.ts';
import { excerpt, visible } from '../../src/domain/safe-text.ts';
import { addDelta, missingText, noAnswer } from '../../src/domain/state/answer.ts';
import { gistOf } from '../../src/domain/views/words/gist.ts';
import { problemText } from '../../src/domain/words/problem-text.ts';
import { agentsWords, workWords } from '../../src/domain/words/progress-words.ts';
import { toToolList } from '../../src/mcp/tools.ts';
import { PolicyRule } from '../../src/protocol/settings/policy.ts';
import { parseBridgeFrame, parseChannelFrame } from '../../src/protocol/wire/codec.ts';
import { findSecrets } from '../../src/secrets/find-secrets.ts';
import { masked } from '../../src/secrets/masked.ts';
import { indexed, matchOf } from '../../src/vault/index/terms.ts';
import { entryOf } from '../../src/vault/memory/entry/entry.ts';
import { readRequest as readMemory } from '../../src/vault/memory/memory-request.ts';
import { readNote } from '../../src/vault/notes/read-note.ts';
import { excerptOf } from '../../src/vault/search/excerpt.ts';
import { stemsOf } from '../../src/vault/search/stems.ts';
import { askOf } from '../domain/question/ask-of.ts';

/** @returns anything; a text that is refused is an answer, too */
type TextFunction = (text: string) => unknown;

/** A screen as wide as the text: rows are never longer than a terminal, and nothing relies on it. */
const rowsOf = (text: string): string[] => text.split('\n');

const inBytes = (text: string, size: number): string[] => {
  const lines = new LineSplitter(Number.MAX_SAFE_INTEGER);
  const bytes = Buffer.from(text);
  return Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
    lines.push(bytes.subarray(index * size, (index + 1) * size)),
  ).flat();
};

function readRequest(read: typeof readChatRequest, body: object): unknown {
  const request = read(body, {});
  if (!request.ok) return undefined;
  const facts = openClawFacts(request.value);
  return [classify(request.value, facts), identify(request.value, facts)];
}

const openClaw = 'You are a personal assistant running inside OpenClaw.\n';
const tools = [{ type: 'function', function: { name: 'exec', parameters: { type: 'object' } } }];
const prompt = 'You are a context summarization assistant';
const question = (text: string) => ({
  questions: [
    { question: text, header: text, options: [{ label: text, description: text }], multiSelect: false },
  ],
});

const place = { road: 'chat', dialect: 'markdown', before: '' } as const;

const policy = [
  { command: 'git push', decision: 'deny' },
  { path: '~/.ssh', decision: 'deny' },
  { host: 'evil.com', decision: 'deny' },
  { decision: 'allow' },
].map((rule) => PolicyRule.parse(rule));
const workPlace = { cwd: '/home/u/ws', home: '/home/u', real: (path: string) => path };

const judged = (tool: string, input: unknown) =>
  judge(policy, claudeCall(tool, input), { session: 's', unattended: false, mode: 'manual' }, workPlace);
/** The longest command that is taken apart has 20,000 characters. */
const bash = (before: string, text: string, after = '') =>
  judged('Bash', { command: `${before}${text.slice(0, 19_900)}${after}` });

export const textFunctions: Readonly<Record<string, TextFunction>> = {
  'a request of the chat API': (text) =>
    readRequest(readChatRequest, { model: 'claude', messages: [{ role: 'user', content: text }] }),
  'a request of the responses API': (text) =>
    readRequest(readResponsesRequest, { model: 'claude', input: text, instructions: text }),
  'a request of OpenClaw': (text) =>
    readRequest(readChatRequest, {
      model: 'claude',
      messages: [
        { role: 'system', content: openClaw + text },
        { role: 'user', content: text },
        { role: 'assistant', content: text },
        { role: 'user', content: [{ type: 'text', text }] },
        { role: 'tool', tool_call_id: text, content: text },
      ],
      tools,
      prompt_cache_key: text,
      user: text,
    }),
  'a system prompt of a compaction': (text) =>
    readRequest(readChatRequest, {
      model: 'claude',
      messages: [
        { role: 'system', content: prompt + text },
        { role: 'user', content: text },
      ],
    }),
  'a note': (text) => readNote('note.md', text),
  'a note, as frontmatter': (text) => readNote('note.md', `---\n${text}\n---\n`),
  findSecrets: (text) => masked(text, findSecrets(text)),
  indexed,
  matchOf,
  'excerptOf, of words in it': (text) => excerptOf(text, 1, stemsOf(text)),
  'entryOf a memory': (text) => entryOf(readMemory({ text: `a${text.slice(0, 7_000)}` }), '14:05'),
  titleOf,
  'summaryOf, as the conversation': (text) =>
    summaryOf(`<conversation>${text}</conversation>## Latest request\n`),
  'summaryOf, as instructions': (text) => summaryOf(`<conversation>a</conversation>${text}`),
  'readInboundText, proven': (text) => readInboundText(text, 'proven'),
  'readInboundText, unproven': (text) => readInboundText(text, 'claimed'),
  'readInboundText, behind heads': (text) => readInboundText(`[Mon 2026-01-01 00:00 UTC] ${text}`, 'proven'),
  'spokenWords, of a transcript': (text) => spokenWords(`[Audio]\nTranscript:\n${text}`),
  'spokenWords, of a bare one': (text) =>
    spokenWords(`[Audio transcript (machine-generated, untrusted)]: ${JSON.stringify(text)}`),
  workWords: (text) =>
    workWords({ count: 1, ms: 1, longest: { tool: text, input: { command: text }, ms: 1 } }, 'markdown'),
  agentsWords: (text) => agentsWords([{ title: text, doing: text }], 'markdown'),
  askerOf: (text) => askerOf({ title: text }, 'markdown'),
  'quotesOf, as the context': (text) => quotesOf(contextBlocks(`Conversation info: ⟦openclaw:ctx⟧\n${text}`)),
  'quotesOf, as entries': (text) => quotesOf(contextBlocks(text)),
  'quotesOf, as a line of the window': (text) =>
    quotesOf([
      { label: 'Conversation info', value: { reply_to_id: '1' }, lines: [`#1 2026-01-01 ${text}`, text] },
    ]),
  'withQuotes, as words and names': (text) =>
    withQuotes(text, text, [
      { kind: 'forwarded', by: text, at: text },
      { kind: 'answered', by: text, from: text, text },
    ]),
  afterQueued: (text) => afterQueued(text, [text, text.slice(0, -2), 'a']),
  'withAttachments, as an address': (text) =>
    withAttachments(
      {
        texts: [],
        events: [],
        toolResults: [],
        images: [{ url: `data:${text}` }, { url: text }],
        unsupported: [],
      },
      text,
      () => '',
    ),
  matchCallId: (text) => matchCallId(text, [text.slice(1), 'a']),
  jsonOf,
  sseEvent: (text) => sseEvent({ text }),
  readVerdict,
  'a frame of the channel': (text) => parseChannelFrame(text),
  'a frame of the channel, as a name': (text) => parseChannelFrame(JSON.stringify({ type: text })),
  'a frame of the bridge': (text) => parseBridgeFrame(text),
  'lines in pieces of 50 bytes': (text) => inBytes(text, 50),
  'the policy, of a command': (text) => [bash('', text), bash('x', text), bash('git ', text)],
  'the policy, of quoted words': (text) => [bash("git '", text, "'"), bash('git "', text, '"')],
  'the policy, of an option': (text) => [
    bash('curl --x=', text),
    bash('x=', text, ' git'),
    bash('ls >', text),
  ],
  'the policy, of an input': (text) => [
    judged('Read', { file_path: text, [text]: [text] }),
    judged('mcp__synthesis__web_fetch', { url: text, request: { url: `https://${text}` } }),
    judged('mcp__synthesis__exec', { command: 'ls', env: { [text]: text } }),
    judged('mcp__synthesis__apply_patch', { input: `*** Update File: ${text}` }),
  ],
  'fitsWildcard, the text': (text) => fitsWildcard('*a*b*c*d*e', text),
  'fitsWildcard, the pattern': (text) => fitsWildcard(text.slice(0, 500), text),

  normalise,
  typePlan: (text) => typePlan(text, text),
  sameText: (text) => sameText(text, `${text}.`),
  holdsText: (text) => holdsText(text, text),
  readScreen: (text) => readScreen(rowsOf(text), rowsOf(text)),
  screenTail: (text) => screenTail(rowsOf(text)),
  dialogOn: (text) => dialogOn(rowsOf(text), knownDialog(rowsOf(text))),
  readStartExit: (text) => readStartExit(rowsOf(text), { code: 1, signal: undefined }),
  showsInput: (text) => showsInput(text, text),
  failureCode: (text) => failureCode({ error: '', error_details: text, last_assistant_message: text }),
  bootstrap: (text) => bootstrap({ key: text, cwd: text }),
  kindOf: (text) => [
    kindOf({ id: '', tool: 'Bash', input: { command: text } }),
    kindOf({ id: '', tool: text }),
  ],
  toolCall: (text) => toolCall({ id: '', tool: text, input: { command: text } }, 'completed', text),
  toChannelEvent: (text) =>
    toChannelEvent({
      type: 'inbound_message',
      request_id: 'a',
      content: text,
      meta: { [text]: text, a: [text] },
    }),
  toToolList: (text) => toToolList([{ name: text, description: text, parameters: {} }]),

  'cleanWords, of a provider': (text) => cleanWords(text, ['secret', text.slice(0, 50)]),
  'readResult, of a provider': (text) => [
    readResult({ content: [{ type: 'text', text }] }, { tool: 'a', secrets: ['secret'] }),
    readResult({ content: [], structuredContent: { [text]: text } }, { tool: 'a', secrets: ['secret'] }),
  ],
  'checkSchema, as a pattern': (text) =>
    checkSchema({ type: 'object', properties: { a: { pattern: text } }, description: text }),

  visible,
  excerpt: (text) => excerpt(visible(text)),
  'questionText of a command': (text) =>
    questionText(askOf({ input: { command: text, description: text }, rationale: text }), place),
  'questionText of a tool': (text) =>
    questionText(askOf({ input: { [text]: [text] }, tool: text, rationale: text }), place),
  'questionText of a question': (text) =>
    questionText(askOf({ input: question(text), tool: 'AskUserQuestion' }), place),
  'questionText of a plan': (text) =>
    questionText(askOf({ input: { plan: text }, tool: 'ExitPlanMode' }), place),
  'questionText behind an answer': (text) => questionText(askOf(), { ...place, before: text }),
  partText: (text) => {
    const ask = askOf({ input: { command: text } });
    return chatParts(ask).map((_, at) => at < 3 && partText(ask, at + 1, place));
  },
  wholeText: (text) => wholeText(askOf({ input: { command: text } })),
  digestOf: (text) => digestOf(askOf({ input: { command: text } })),
  inline: (text) => [inline(text, 'markdown'), inline(text, 'discord')],
  foldLine: (text) => foldLine(safeLine(text), 80, ruler),
  foldProse: (text) => foldProse(safeLine(text), 80, ruler),
  gistOf: (text) =>
    gistOf('AskUserQuestion', { questions: [{ question: text, options: [{ label: text }] }] }),
  answersTo: (text) => answersTo(askedQuestions(question(text)), text),
  problemText: (text) => problemText('start_exited', { detail: text, session: text, folder: text }),
  addDelta: (text) => {
    const answer = addDelta(noAnswer, { message: 'm', index: 0, text, final: false });
    return missingText(answer, `${text}.`);
  },

  safe,
  safeProse,
  safeLine,
  safeJson,
  keysOnly,
  width: (text) => width(safe(text)),
  wrapWords: (text) => wrapWords(safeLine(text), 80),
  table: (text) => table(['a'], [[text]], ruler),
  checkLines: (text) => checkLines({ name: text, status: 'failed', message: text, suggestion: text }, 80),
  wrap: (text) => wrap(text, 80),
  clip: (text) => [clip(safeLine(text), 80), clipStart(safeLine(text), 80), clipMiddle(safeLine(text), 80)],
  paint: (text) => paint(fitLine(line(safeLine(text)), 80), 'coloured'),
  'paint of a whole text': (text) => paint(line(text), 'coloured'),
};
