import type {
  AgentPort,
  AgentSession,
  PermissionAnswer,
  Prompt,
  ReportAgent,
  ToolPort,
} from '../../src/bridge/app/ports.ts';
import type { ToolCall } from '../../src/domain/state/session.ts';
import type { ToolSpec } from '../../src/protocol/tool-spec.ts';

/** An agent that does what a test tells it: the far side of the port, without any process. */
export class ScriptedAgent implements AgentPort {
  report: ReportAgent = () => {};
  readonly prompts: { session: AgentSession; prompt: Prompt }[] = [];
  readonly permissions: PermissionAnswer[] = [];
  readonly toolAnswers: { call: string; ok: boolean; content: string; envelope?: boolean }[] = [];
  readonly interrupted: string[] = [];
  readonly stopped: string[] = [];
  tools: ToolSpec[] = [];
  /** Called for every prompt; the default takes it and answers `You said: …`. */
  onPrompt: (prompt: Prompt, session: AgentSession) => void = (prompt, session) => {
    this.take(session.key, prompt.turn);
    this.say(session.key, prompt.turn, `You said: ${prompt.text}`);
    this.endTurn(session.key, prompt.turn);
  };

  deliver(session: AgentSession, prompt: Prompt): void {
    this.prompts.push({ session, prompt });
    this.onPrompt(prompt, session);
  }

  start({ key }: AgentSession): void {
    this.report(key, { type: 'agent.starting' });
    this.report(key, { type: 'agent.ready', pid: 1, delivery: 'terminal', health: [] });
  }

  take(key: string, turn: string): void {
    this.report(key, { type: 'agent.starting' });
    this.report(key, { type: 'agent.ready', pid: 1, delivery: 'terminal', health: [] });
    this.report(key, { type: 'prompt.taken', turn, prompt: `p-${turn}` });
  }

  say(key: string, turn: string, text: string, message = 'm', index = 0, final = false): void {
    this.report(key, { type: 'message.delta', prompt: `p-${turn}`, message, index, text, final });
  }

  endTurn(key: string, turn: string, text?: string): void {
    this.report(key, { type: 'turn.rest', prompt: `p-${turn}`, ...(text !== undefined && { last: text }) });
    // Nothing more of it comes. A turn that was whole is over already.
    this.report(key, { type: 'turn.stopped' });
  }

  interrupt(key: string): void {
    this.interrupted.push(key);
  }

  stop(key: string): void {
    this.stopped.push(key);
    this.report(key, { type: 'agent.exited', detail: 'stopped' });
  }

  answerPermission(_key: string, answer: PermissionAnswer): void {
    this.permissions.push(answer);
  }

  answerTool(_key: string, call: string, ok: boolean, content: string, envelope?: boolean): void {
    this.toolAnswers.push({ call, ok, content, ...(envelope !== undefined && { envelope }) });
  }

  setTools(_key: string, tools: ToolSpec[]): void {
    this.tools = tools;
  }

  async close(): Promise<void> {}
}

/** Providers of tools that note what they are told; the test answers for them. */
export class ScriptedTools implements ToolPort {
  readonly ran: { key: string; call: ToolCall }[] = [];
  readonly cancelled: string[] = [];

  run(key: string, call: ToolCall): void {
    this.ran.push({ key, call });
  }

  cancel(call: string): void {
    this.cancelled.push(call);
  }
}
