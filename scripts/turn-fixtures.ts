// Makes test/fixtures/turns from a folder of raw recordings of Claude Code, one `.jsonl` file per scenario. It keeps the
// lines that say something about turns, gives every id a short name and replaces every text by one of our own.
// node scripts/turn-fixtures.ts <folder of recordings> [target folder]
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, parse } from 'node:path';
import { InventedTexts, type Kind } from './turn-fixtures/invented-texts.ts';
import { ShortIds } from './turn-fixtures/short-ids.ts';

type Fields = Record<string, unknown>;

/** Of each hook; every other field is left out. */
const kept = [
  ...['session_id', 'prompt_id', 'permission_mode', 'agent_id', 'agent_type'],
  ...['tool_name', 'tool_input', 'tool_use_id', 'tool_response', 'tool_calls', 'permission_suggestions'],
  ...['turn_id', 'message_id', 'index', 'final', 'delta', 'prompt', 'error', 'error_details', 'is_interrupt'],
  ...['stop_hook_active', 'last_assistant_message', 'background_tasks', 'session_crons'],
  ...['source', 'model', 'reason', 'trigger', 'message', 'notification_type', 'mode', 'action'],
];
/** Of the response of a tool. */
const keptOfResponse = [
  'isAsync',
  'status',
  'agentId',
  'backgroundTaskId',
  'interrupted',
  'task_id',
  'task_type',
  'resumedAgentId',
];
/** What the reader of the fixtures adds by itself. */
const firstSession = 's1';
/** Values of these fields are Claude Code's own words, not somebody's text. */
const words = new Set([
  ...['session_id', 'prompt_id', 'permission_mode', 'agent_id', 'hook_event_name', 'tool_use_id', 'turn_id'],
  ...['message_id', 'error', 'source', 'model', 'trigger', 'notification_type', 'agent_type', 'id'],
  ...[
    'subagent_type',
    'query',
    'type',
    'status',
    'recipient_kind',
    'schedule',
    'cron',
    'destination',
    'mode',
    'task_id',
  ],
  ...[
    'behavior',
    'hookEventName',
    'decision',
    'action',
    'agentId',
    'backgroundTaskId',
    'resumedAgentId',
    'task_type',
  ],
]);
/** Beginnings of the names of tools. */
const toolNames: Readonly<Record<string, string>> = {
  mcp__lent__: 'mcp__kites__',
  mcp__lent__slow: 'mcp__kites__wind',
};
const kinds: Readonly<Record<string, Kind>> = {
  command: 'command',
  description: 'name',
  summary: 'name',
  header: 'name',
  label: 'name',
  name: 'name',
  to: 'name',
  recipient: 'name',
  prompt: 'request',
};
const cut = /…\(\d+\)$/;

const texts = new InventedTexts();

class Scenario {
  readonly #ids = new ShortIds();
  #mode: unknown;
  readonly #lines: Fields[];
  /** Whole texts, from which a text that the recorder cut is completed. */
  readonly #whole: string[];

  constructor(lines: Fields[]) {
    this.#lines = lines;
    this.#whole = lines.flatMap(({ k, text, last_assistant_message: last }) => [
      ...(k === 'typed' ? [String(text)] : []),
      ...(typeof last === 'string' && !cut.test(last) ? [`${last}\n`] : []),
    ]);
    for (const line of lines) this.#ids.learn(line);
  }

  rewritten(): Fields[] {
    return this.#lines.flatMap((line) => {
      const { t, k } = line;
      const rest = this.#line(line);
      return rest ? [{ t, ...(k !== 'hook' && { k }), ...rest }] : [];
    });
  }

  #line(line: Fields): Fields | undefined {
    const { k, n, event } = line;
    switch (k) {
      case 'hook':
        return { n, ...this.#hook(line) };
      case 'hook-answer':
      case 'hook-late':
        return { n, event, answer: this.#value(line.answer) };
      case 'hook-aborted':
        return { n, event };
      case 'typed':
        return { text: this.#text(String(line.text), 'request'), ...(line.into ? { into: line.into } : {}) };
      case 'key':
        return { key: line.key };
      case 'start': {
        const [option, id] = line.args as string[];
        return option === '--resume' && id ? { resume: this.#ids.short(id) } : {};
      }
      case 'kill':
        return { signal: line.signal };
      case 'exit':
        return { code: line.code, ...(line.signal ? { signal: line.signal } : {}) };
      case 'note':
        return /^a second Claude Code/.test(String(line.text)) ? { second: true } : undefined;
      case 'end':
        return {};
      case 'transcript':
        return line.file === 'main' ? this.#transcript(line) : undefined;
      default:
        return undefined;
    }
  }

  #transcript({ type, subtype, text }: Fields): Fields | undefined {
    if (subtype === 'turn_duration') return { says: 'turn_duration' };
    const written = String(text ?? '');
    if (type === 'user' && written.startsWith('[Request interrupted')) return { says: 'interrupted' };
    // Claude Code writes its own words as the assistant's, too: no model has said them.
    const isOwn = written === 'tool_use' || /^API Error|^No response requested/.test(written);
    return type === 'assistant' && !isOwn ? { says: 'text', text: this.#text(written, 'words') } : undefined;
  }

  #hook(line: Fields): Fields {
    const out: Fields = { hook: line.hook_event_name };
    for (const key of kept) {
      if (line[key] !== undefined) out[key] = this.#field(key, line[key]);
    }
    if (out.session_id === firstSession) delete out.session_id;
    if (out.final === false) delete out.final;
    if (out.permission_mode === this.#mode) delete out.permission_mode;
    else this.#mode = out.permission_mode ?? this.#mode;
    if (out.agent_type && !String(line.hook_event_name).startsWith('Subagent')) delete out.agent_type;
    return out;
  }

  #field(key: string, value: unknown): unknown {
    if (key === 'tool_calls') {
      return (value as Fields[]).map((call) => ({ tool_use_id: this.#ids.short(String(call.tool_use_id)) }));
    }
    if (key === 'tool_response') return this.#response(value);
    if (key === 'tool_name')
      return String(value).replace(/^mcp__lent__(?:slow$)?/, (of) => toolNames[of] ?? of);
    if (key === 'reason') return value;
    if (key === 'prompt') return this.#prompt(String(value));
    if (key === 'background_tasks') {
      const tasks = value as Fields[];
      return tasks.map(({ id, type, status, description }) =>
        this.#value({ id, type, status, ...(description ? { description } : {}) }),
      );
    }
    return this.#value(value, key);
  }

  #response(value: unknown): unknown {
    const moved = /moved to the background as task (\w+)/.exec(JSON.stringify(value))?.[1];
    if (moved)
      return [{ type: 'text', text: `It was moved to the background as task ${this.#ids.short(moved)}.` }];
    if (Array.isArray(value)) return this.#value(value);
    const entries = Object.entries(value as Fields).filter(([key]) => keptOfResponse.includes(key));
    return this.#value(Object.fromEntries(entries.filter(([, each]) => each !== false)));
  }

  #prompt(text: string): string {
    const task = /<task-id>([^<]+)</.exec(text)?.[1];
    if (text.startsWith('<task-notification>') && task) return this.#notification(text, task);
    const stopped = /^(\d+ background agents were|Background agent) /.test(text);
    if (stopped) return text.replaceAll(/"([^"]+)"/g, (_, name) => `"${texts.line(name, 'name')}"`);
    const wrapped =
      /^(<cross-session-message )from="[^"]*" from-name="([^"]*)"([^>]*>\n)([\s\S]*)(\n<\/[\s\S]*)$/.exec(
        text,
      );
    if (wrapped) {
      const [, head, from = '', middle, said = '', tail] = wrapped;
      return `${head}from="uds:kites" from-name="${texts.line(from, 'name')}"${middle}${texts.text(said, 'words')}${tail}`;
    }
    const pasted = /^(\n\n<pasted_content id="[^"]*">\n)([\s\S]*)$/.exec(text);
    if (pasted) return `${pasted[1]}${this.#text(pasted[2] ?? '', 'request')}\n</pasted_content>`;
    return this.#text(text, 'request');
  }

  #notification(text: string, task: string): string {
    const use = /<tool-use-id>([^<]+)</.exec(text)?.[1];
    const result = /<result>\n([\s\S]*)\n<\/result>/.exec(text)?.[1];
    return [
      '<task-notification>',
      `<task-id>${this.#ids.short(task)}</task-id>`,
      ...(use ? [`<tool-use-id>${this.#ids.short(use)}</tool-use-id>`] : []),
      ...(text.includes('<output-file>')
        ? [`<output-file>~/${this.#ids.short(task)}.output</output-file>`]
        : []),
      `<status>${/<status>(\w+)</.exec(text)?.[1]}</status>`,
      `<summary>${texts.line(/<summary>([^<]+)/.exec(text)?.[1] ?? '', 'words')}</summary>`,
      ...(result ? [`<result>\n${texts.text(result, 'words')}\n</result>`] : []),
      '</task-notification>',
    ].join('\n');
  }

  #text(text: string, kind: Kind): string {
    const isCut = cut.exec(text);
    if (!isCut) return texts.text(text, kind);
    const whole = this.#whole.find((each) => each.startsWith(text.slice(0, isCut.index)));
    return texts.text(whole ?? text, kind);
  }

  #value(value: unknown, key = ''): unknown {
    if (typeof value === 'string') {
      const id = this.#ids.find(value);
      if (id !== undefined) return id;
      if (key === 'directories') return '~/kites';
      return words.has(key) ? value : this.#text(value, kinds[key] ?? 'words');
    }
    if (Array.isArray(value)) return value.map((each) => this.#value(each, key));
    if (value === null || typeof value !== 'object') return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, each]) => [texts.known(name) ?? name, this.#value(each, name)]),
    );
  }
}

const [from, to = 'test/fixtures/turns'] = process.argv.slice(2);
if (from === undefined) throw new Error('Which folder holds the recordings? Say it as the first argument.');
mkdirSync(to, { recursive: true });
for (const file of readdirSync(from)
  .filter((name) => name.endsWith('.jsonl'))
  .sort()) {
  const lines = readFileSync(join(from, file), 'utf8').trim().split('\n');
  const scenario = new Scenario(lines.map((line) => JSON.parse(line) as Fields));
  const out = scenario.rewritten().map((line) => JSON.stringify(line));
  writeFileSync(join(to, `${parse(file).name}.jsonl`), `${out.join('\n')}\n`);
}
