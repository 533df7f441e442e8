import { endOfObject, readPieces } from './script-text.ts';

/** A tool the "model" wants to use. */
export interface ToolUse {
  name: string;
  input: Record<string, unknown>;
}

/** What the simulated Claude does with a prompt, in order. */
export type Step =
  | { kind: 'say'; text: string }
  | { kind: 'tools'; calls: ToolUse[] }
  | { kind: 'wait'; ms: number }
  | { kind: 'background'; text: string }
  | { kind: 'fail'; error: string }
  | { kind: 'exit'; code: number }
  | { kind: 'hang' }
  | { kind: 'silent' }
  | { kind: 'empty' };

/** What it knows when a prompt arrives. */
export interface Memory {
  /** Earlier prompts of this conversation, oldest first. */
  earlier: string[];
  /** Hidden context that hooks attached to this prompt. */
  context: string[];
  /** The appended system prompt, frozen at the conversation's first request. */
  systemPrompt: string | undefined;
}

/** A fixed answer: the first rule whose `when` (a regular expression) matches the prompt replaces it. */
export interface Rule {
  when: string;
  answer: string;
}

/**
 * Decides the answer to a prompt, the same one each time.
 *
 * Commands in the prompt are done in order. Without a command that says or ends something, the answer is
 * `You said: …` and `I remember N earlier messages.`
 */
export function planAnswer(prompt: string, memory: Memory, rules: Rule[] = []): Step[] {
  const said = innerText(prompt);
  const rule = rules.find(({ when }) => new RegExp(when, 'i').test(said));
  const steps = readPieces(rule?.answer ?? said).flatMap((piece): Step[] => {
    if (piece.kind === 'command') return command(piece.name, piece.argument, memory);
    const text = piece.text.trim();
    return rule && text !== '' ? [{ kind: 'say', text }] : [];
  });
  return steps.every(isQuiet) ? [...steps, { kind: 'say', text: defaultAnswer(said, memory) }] : steps;
}

/** Nothing is said of it, and it ends nothing. */
const isQuiet = (step: Step): boolean =>
  step.kind === 'wait' ||
  step.kind === 'background' ||
  (step.kind === 'tools' && step.calls.every(({ name }) => name === 'Agent'));

function defaultAnswer(said: string, { earlier }: Memory): string {
  const plain = readPieces(said).map((piece) => (piece.kind === 'text' ? piece.text : ''));
  const words = plain.join('').replace(/\s+/g, ' ').trim();
  const count = `${earlier.length} earlier message${earlier.length === 1 ? '' : 's'}`;
  return `You said: ${words}\nI remember ${count}.`;
}

/** What a prompt says without the tags that Claude Code put around it. */
function innerText(prompt: string): string {
  return prompt
    .replace(/<channel [^<>]*>\n?|\n?<\/channel>/g, '')
    .replace(/<(task-id|tool-use-id|output-file|status|note)>[^<]*<\/\1>\n?/g, '')
    .replace(/<summary>Background command "(.*)" completed \(exit code 0\)<\/summary>/g, '$1')
    .replace(/<\/?(task-notification|summary|result)>/g, '')
    .split(/<\/?pasted_content id="\w+">\n?/)
    .map((part) => part.trimEnd())
    .join('')
    .trim();
}

function command(name: string, argument: string, memory: Memory): Step[] {
  const say = (text: string): Step[] => [{ kind: 'say', text }];
  const call = (tool: string, input: Record<string, unknown>): Step[] => [
    { kind: 'tools', calls: [{ name: tool, input }] },
  ];
  switch (name) {
    case 'say':
      return say(argument.split('|').join('\n'));
    case 'lines':
      return say(Array.from({ length: Number(argument) || 1 }, (_, at) => `Line ${at + 1}`).join('\n'));
    case 'long':
      return say('lorem '.repeat(Math.ceil((Number(argument) || 300) / 6)).slice(0, Number(argument) || 300));
    case 'tool':
    case 'tools':
      return [{ kind: 'tools', calls: readCalls(argument) }];
    case 'bash':
      return call('Bash', { command: argument, description: 'Run a command' });
    case 'write': {
      const [file = '', ...words] = argument.split(' ');
      return call('Write', { file_path: file, content: words.join(' ') });
    }
    case 'agent': {
      const [description = '', ...script] = argument.split('|');
      return call('Agent', { description, subagent_type: 'general-purpose', prompt: script.join('|') });
    }
    case 'then':
      return say(argument);
    case 'ask':
      return call('AskUserQuestion', askInput(argument));
    case 'plan':
      return call('ExitPlanMode', argument === '' ? {} : { plan: argument });
    case 'elicit': {
      const [message = '', ...options] = argument.split('|');
      return call('Elicit', { message, options });
    }
    case 'wait':
      return [{ kind: 'wait', ms: Number(argument) || 0 }];
    case 'bg':
      return [{ kind: 'background', text: argument }];
    case 'fail':
      return [{ kind: 'fail', error: argument || 'unknown' }];
    case 'exit':
      return [{ kind: 'exit', code: Number(argument) || 0 }];
    case 'hang':
      return [{ kind: 'hang' }];
    case 'silent':
      return [{ kind: 'silent' }];
    case 'empty':
      return [{ kind: 'empty' }];
    case 'recall':
      return say(
        ['Earlier messages:', ...memory.earlier.map((text, at) => `${at + 1}. ${innerText(text)}`)].join(
          '\n',
        ),
      );
    case 'context':
      return say(['Hidden context:', ...memory.context].join('\n'));
    case 'system':
      return say(['System prompt:', memory.systemPrompt ?? '(none)'].join('\n'));
    default:
      return [];
  }
}

/** `A {"x":1};B` → two calls. A bare name is a tool of the `synthesis` server. */
function readCalls(argument: string): ToolUse[] {
  const calls: ToolUse[] = [];
  let rest = argument;
  while (rest.trim() !== '') {
    const name = /^[\s;]*([\w.-]+)\s*/.exec(rest);
    if (!name?.[1]) break;
    rest = rest.slice(name[0].length);
    const end = rest.startsWith('{') ? endOfObject(rest, 0) : undefined;
    calls.push({ name: toolName(name[1]), input: end ? parseInput(rest.slice(0, end)) : {} });
    rest = rest.slice(end ?? 0).replace(/^[^;]*/, '');
  }
  return calls;
}

function toolName(name: string): string {
  return name.startsWith('mcp__') || /^[A-Z]/.test(name) ? name : `mcp__synthesis__${name}`;
}

function parseInput(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? { ...value } : {};
  } catch {
    return { unreadable: text };
  }
}

function askInput(argument: string): Record<string, unknown> {
  const [question = '', ...labels] = argument.split('|');
  return {
    questions: [
      {
        question,
        header: 'Question',
        options: labels.map((label) => ({ label, description: label })),
        multiSelect: false,
      },
    ],
  };
}
