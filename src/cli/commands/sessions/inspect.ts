import type { SessionDetail } from '../../../domain/views/control.ts';
import type { TurnRow } from '../../../domain/views/session/turn-row.ts';
import { tokensText, usdText } from '../../../domain/views/words/cost-words.ts';
import { gistOf } from '../../../domain/views/words/gist.ts';
import { adoptedFrom } from '../../../domain/views/words/message-words.ts';
import {
  containWords,
  modeSourceText,
  modeText,
  sandboxWords,
  waitingText,
} from '../../../domain/views/words/mode-words.ts';
import { callBridge } from '../../client/control-client.ts';
import { exitCodes } from '../../exit-codes.ts';
import { print, printJson } from '../../output/out.ts';
import { safeLine } from '../../output/safe.ts';
import { ago } from '../../output/words/ago.ts';
import { agentWords, stateWords } from '../../sessions/words.ts';

export interface InspectOptions {
  state: string;
  session: string;
  json: boolean;
}

export async function inspect({ state, session, json }: InspectOptions): Promise<number> {
  const detail = await callBridge(state, 'session.inspect', { session }, { timeoutMs: 10_000 });
  if (json) printJson(detail);
  else show(detail);
  return exitCodes.ok;
}

/** What OpenClaw's requests are told apart by, for a person. */
const toldBy: Readonly<Record<string, string>> = {
  explicit: 'the header x-synthesis-session',
  plugin: 'the plugin in OpenClaw',
  cache_key: 'the prompt_cache_key of its requests',
  runtime: 'the Runtime line of its prompt',
};

function show(detail: SessionDetail): void {
  const now = Date.now();
  const waiting = waitingText(detail);
  const facts: [string, string | null][] = [
    ['name', detail.label ?? null],
    ['key', detail.guessed ? `${detail.key} (guessed)` : detail.key],
    ['told by', detail.identity && (toldBy[detail.identity] ?? detail.identity)],
    ['id', detail.id],
    ['state', stateWords(detail)],
    ['working', detail.working_since && `for ${ago(detail.working_since, now)}`],
    ...agentsOf(detail, now),
    ['queued', detail.queued > 0 ? String(detail.queued) : null],
    ['claude', detail.claude_session],
    ['pid', detail.pid === null ? null : String(detail.pid)],
    ['delivery', detail.delivery],
    ['driver', detail.driver],
    ['folder', detail.cwd],
    ['memory', detail.memory === null ? 'shared by all sessions of the folder' : (detail.memory ?? null)],
    ...(detail.stays ?? []).map((each): [string, string] => ['stays here', each]),
    [
      'permissions',
      detail.permission_mode && `${modeText(detail.permission_mode)} (${modeSourceText(detail)})`,
    ],
    ['sandbox', sandboxWords(detail) ?? null],
    ['contained', containWords(detail) ?? null],
    ['waits', waiting === undefined ? null : `${waiting}, for: synthesis restart ${detail.id}`],
    ['model', detail.model],
    ['context', contextOf(detail)],
    ['cost', detail.status === null ? null : costOf(detail)],
    ['opened', `${ago(detail.opened_at, now)} ago`],
    ['last', `${ago(detail.touched_at, now)} ago`],
    ['failure', failureText(detail)],
    ['to do', detail.failure_remedy ?? null],
    ['more', /^(?:claude|folder)_/.test(detail.failure ?? '') ? 'synthesis doctor' : null],
    ...healthOf(detail),
  ];
  for (const [name, value] of facts) if (value !== null) print(`${name.padEnd(12)} ${safeLine(value)}`);
  for (const { code, tool, input } of detail.asks) {
    print(`\nwaits for you: ${safeLine(tool)} ${safeLine(gistOf(tool, input)).slice(0, 200)}`);
    print(`  synthesis approve ${code} | synthesis deny ${code}`);
  }
  for (const turn of detail.turns) showTurn(turn, now);
  showLast(detail);
  showScreen(detail.screen);
}

/** Those at work, a row each. */
const agentsOf = ({ agents = [] }: SessionDetail, now: number): [string, string][] =>
  agents.map((agent) => {
    const { name, since, doing } = agentWords(agent, now);
    return ['agent', `${name}, for ${since}${doing === '' ? '' : `, uses ${doing}`}`];
  });

/** The rest of it is shown below, see `showLast`. */
function failureText({ failure, failure_words: words }: SessionDetail): string | null {
  const [line] = (words ?? '').split('\n', 1);
  return failure === null || !line ? failure : `${failure}: ${line}`;
}

function contextOf({ context_percent, context_tokens = null }: SessionDetail): string | null {
  const parts = [
    ...(context_percent === null ? [] : [`${context_percent} %`]),
    ...(context_tokens === null ? [] : [`${tokensText(context_tokens)} tokens`]),
  ];
  return parts.length === 0 ? null : parts.join(', ');
}

/** As Claude Code says; the last days with their share. */
function costOf({ cost_usd, cost_days = [] }: SessionDetail): string {
  const days = cost_days.slice(-3).reverse();
  const shares = days.map(({ day, usd }) => `${day} ${usdText(usd)}`);
  return cost_usd === null ? usdText(null) : `${usdText(cost_usd)} (${shares.join(', ')})`;
}

/** As in `ps`: what is only worth knowing, such as how messages reach Claude, leaves it well. */
function healthOf({ health, failure }: SessionDetail): [string, string][] {
  const unwell = health.some(({ info }) => !info) || failure !== null;
  const rows = health.map(({ code, words, info }): [string, string] => [
    info ? 'note' : 'health',
    `${code}: ${words}`,
  ]);
  return unwell ? rows : [['health', 'ok'], ...rows];
}

const adopters = {
  task: 'a background task',
  wakeup: 'a wake-up',
  continued: 'a Stop hook or a teammate',
  terminal: "Claude's terminal",
};

function showTurn(turn: TurnRow, now: number): void {
  const from = turn.adopted ? adopters[adoptedFrom(turn.text, turn.origin ?? undefined)] : turn.ingress;
  const who = `${turn.adopted ? from : (turn.sender ?? from)}${turn.forwarded ? ' (forwarded)' : ''}`;
  const end = turn.code ? `${turn.phase} (${turn.code})` : turn.phase;
  print(`\n${safeLine(who)}, ${ago(turn.accepted_at, now)} ago, ${end}:`);
  print(indent(turn.text));
  if (turn.answer !== '') print(`Claude:\n${indent(turn.answer)}`);
}

function showLast({ failure_words: words }: SessionDetail): void {
  const [, ...rest] = (words ?? '').split('\n');
  if (rest.length === 0) return;
  print('\nThe end of its screen:');
  for (const row of rest) print(`  | ${safeLine(row)}`);
}

function showScreen(screen: string[] | null): void {
  if (!screen) return;
  print("\nClaude's screen:");
  // An empty screen is tall: several blank rows are shown as one.
  const rows = screen.filter((row, index) => row.trim() !== '' || screen[index - 1]?.trim() !== '');
  for (const row of rows) print(`  | ${row}`);
}

const indent = (text: string) =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => `  ${line}`)
    .join('\n');
