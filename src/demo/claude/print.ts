// `--print` with a question as a line of JSON on stdin, as far as the bridge uses it.
import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { planAnswer, type Rule } from './turn/brain.ts';

/** What the command line says of it. */
export interface Question {
  /** File of the system prompt. */
  system: string | undefined;
  tools: string | undefined;
}

const Content = z.discriminatedUnion('type', [
  z.object({ type: z.literal('text'), text: z.string() }),
  z.object({ type: z.literal('image'), source: z.object({ media_type: z.string(), data: z.string() }) }),
]);
const Input = z.object({
  type: z.literal('user'),
  message: z.object({ role: z.literal('user'), content: z.array(Content) }),
});

export interface Printed {
  /** Claude Code's last line of output. */
  line: string;
  code: number;
  /** Milliseconds it thinks before. */
  ms: number;
}

export function printed(stdin: string, asked: Question, rules: Rule[], signedIn: boolean): Printed {
  if (!signedIn) return result('Not logged in · Please run /login', true);
  const { content } = Input.parse(JSON.parse(stdin)).message;
  const texts = content.flatMap((each) => (each.type === 'text' ? [each.text] : []));
  const systemPrompt = asked.system === undefined ? undefined : readFileSync(asked.system, 'utf8');
  const steps = planAnswer(texts.join('\n'), { earlier: [], context: [], systemPrompt }, rules);
  const fault = steps.find((step) => step.kind === 'fail');
  if (fault) return result(`API Error: ${fault.error}`, true);
  const pictures = content.length - texts.length;
  const seen = pictures > 0 ? `\nI see ${pictures} picture${pictures === 1 ? '' : 's'}.` : '';
  const said = steps.flatMap((step) => (step.kind === 'say' ? [step.text] : [])).join('\n');
  const ms = steps.reduce((sum, step) => sum + (step.kind === 'wait' ? step.ms : 0), 0);
  return { ...result(asked.tools === '' ? `${said}${seen}` : 'I have tools.', false), ms };
}

const result = (text: string, isError: boolean): Printed => ({
  line: JSON.stringify({
    type: 'result',
    subtype: 'success',
    is_error: isError,
    result: text,
    session_id: 'simulated',
  }),
  code: isError ? 1 : 0,
  ms: 0,
});
