import {
  containWords,
  modeSourceText,
  modeText,
  sandboxWords,
  waitingText,
} from '../../../domain/views/words/mode-words.ts';
import { safeLine } from '../../output/safe.ts';
import { agentWords, duration, stateWords } from '../../sessions/words.ts';
import { wrap } from '../../text/wrap.ts';
import type { Model } from '../model/model.ts';
import { rowOf } from '../model/rows.ts';
import { isAway } from '../nodes/nodes.ts';
import { chatOf, modeTone, stateMark, stateTone, waitsFor } from '../session-words.ts';
import { blank, type Line, line, type Span, span } from '../text/line.ts';
import { keyRow } from './foot.ts';
import type { Sheet } from './sheet.ts';

const foot = keyRow(['t', "Claude's own screen"], ['↑↓', 'scroll'], ['Esc', 'close']);

/** Everything that is known of a session. */
export function infoSheet(model: Model, key: string, cells: number): Sheet {
  const title: Line = [span('Session', 'strong')];
  const view = model.sessions.get(key);
  if (!view) return { title, foot, lines: [line('This session was removed.', 'dim')] };
  const row = rowOf(view);
  const node = model.homes.get(key);
  const waiting = waitingText(row);
  const sandbox = sandboxWords(row);
  const contain = containWords(row);
  const field = (name: string, ...value: Span[]): Line => [span(name.padEnd(16), 'dim'), ...value];
  const text = (value: string | number | null) =>
    span(safeLine(String(value ?? '-')), value === null ? 'dim' : 'plain');
  const ago = (iso: string) => span(`${duration(model.now - Date.parse(iso))} ago`);
  const lines: Line[] = [
    field('key', span(safeLine(row.key), 'strong')),
    field('id', text(row.id)),
    ...(node === undefined
      ? []
      : [field('node', text(node), span(isAway(model, key) ? '  away' : '', 'bad'))]),
    field('state', span(`${stateMark[row.state]} ${stateWords(row)}`, stateTone[row.state])),
    ...row.agents.map((agent) => {
      const { name, since, doing } = agentWords(agent, model.now);
      return field('agent', text(name), span(`  ${since}`, 'dim'), span(`  ${safeLine(doing)}`, 'tool'));
    }),
    field('waits for', text(waitsFor(view, row))),
    field('chat', text(chatOf(view, row))),
    field('ingress', text(row.ingress)),
    field('queue', text(row.queued)),
    blank,
    field('Claude session', text(row.claude_session)),
    field('model', text(row.model)),
    field('context', text(row.context_percent === null ? null : `${Math.round(row.context_percent)} % used`)),
    field('cost', text(row.cost_usd === null ? null : `$${row.cost_usd.toFixed(4)}`)),
    field('pid', text(row.pid)),
    field('folder', text(row.cwd)),
    field(
      'permissions',
      span(safeLine(modeText(row.permission_mode)), modeTone(row.permission_mode)),
      span(row.permission_mode === null ? '' : `  ${safeLine(modeSourceText(row))}`, 'dim'),
    ),
    ...(sandbox === undefined ? [] : [field('sandbox', text(sandbox))]),
    ...(contain === undefined ? [] : [field('contained', text(contain))]),
    ...(waiting === undefined ? [] : [field('', span(`R takes over: ${safeLine(waiting)}`, 'warn'))]),
    field('delivery', text(row.delivery)),
    field('typed into by', text(row.driver)),
    field('opened', ago(row.opened_at)),
    field('last touched', ago(row.touched_at)),
    blank,
    ...healthLines(row.health, row.failure, cells),
  ];
  return { title, lines, foot };
}

function healthLines(
  health: { code: string; words: string }[],
  failure: string | null,
  cells: number,
): Line[] {
  const lines: Line[] = failure === null ? [] : [line(`failed: ${failure}`, 'bad')];
  for (const { code, words } of health) {
    lines.push([span('! ', 'warn'), span(safeLine(code), 'warn')]);
    lines.push(...wrap(words, cells - 5).map((each): Line => [span('  '), span(each)]));
  }
  return lines.length === 0 ? [line('nothing is wrong with it', 'good')] : lines;
}
