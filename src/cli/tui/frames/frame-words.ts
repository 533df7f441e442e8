import { gistOf } from '../../../domain/views/words/gist.ts';
import { adoptedWords, sentBy } from '../../../domain/views/words/message-words.ts';
import type { SessionEvent } from '../../../protocol/events/events.ts';
import { safeLine } from '../../output/safe.ts';
import type { Frame } from '../model/model.ts';

/** Its number in the journal that it is of. */
export const frameName = ({ seq, node }: Frame): string =>
  node === undefined ? `Frame ${seq}` : `Frame ${seq} of ${safeLine(node)}`;

/** Longest piece of a text that one row can show, characters. */
const longest = 400;

const short = (value: unknown): string => {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
  return safeLine(text.slice(0, longest)).trim();
};

const joined = (...parts: (string | undefined)[]): string => parts.filter((part) => part).join('  ');

/** What a frame says, in one row. */
export function frameWords(event: SessionEvent): string {
  switch (event.type) {
    case 'turn.queued':
      return joined(
        event.sender && `${sentBy(short(event.sender.name ?? event.sender.id ?? ''), event.quotes)}:`,
        short(event.text),
      );
    case 'turn.adopted':
      return joined(`${adoptedWords(event.text, event.origin?.by)}:`, short(event.text));
    case 'turn.delivering':
      return `attempt ${event.attempt}`;
    case 'turn.joining':
      return 'into the turn that runs';
    case 'turn.handed':
      return 'to Claude';
    case 'turn.cancelling':
      return `by ${short(event.by)}`;
    case 'turn.settled':
      return joined(
        event.outcome,
        event.into && 'in that turn',
        event.code,
        event.detail && short(event.detail),
      );
    case 'answer.delta':
      return `#${event.index}${event.final ? ' (last)' : ''}  ${short(event.text)}`;
    case 'answer.repaired':
      return short(event.text);
    case 'activity':
      return joined(
        short(event.tool),
        event.phase,
        event.input === undefined ? '' : short(gistOf(event.tool, event.input)),
      );
    case 'tool.called':
      return joined(short(event.tool), short(event.args));
    case 'tool.progressed':
      return short(event.text);
    case 'tool.answered':
      return joined(event.ok ? 'ok' : 'failed', short(event.content));
    case 'tool.dropped':
      return short(event.reason);
    case 'permission.asked':
      return joined(event.code, short(event.tool), short(gistOf(event.tool, event.input)));
    case 'permission.decided':
      return joined(event.code, event.verdict, `by ${event.by}`, event.reason && short(event.reason));
    case 'permission.settled':
      return joined(event.code, event.outcome, event.detail && short(event.detail));
    case 'agent.ready':
      return joined(`pid ${event.pid}`, event.delivery, ...event.health.map(({ code }) => short(code)));
    case 'agent.adopted':
      return `pid ${event.pid}, goes on after a restart of the bridge`;
    case 'agent.status':
      return statusWords(event.status);
    case 'session.claude':
      return joined(event.claude, event.launch.permissionMode, short(event.launch.cwd));
    case 'session.configured':
      return joined(
        event.launch.permissionMode,
        short(event.launch.cwd),
        event.waiting && 'more waits for restart',
      );
    case 'bridge.panicked':
      return joined(`by ${short(event.by)}`, event.reason && short(event.reason));
    case 'bridge.compacted':
      return joined('a snapshot', event.origin > 0 ? `the archive holds the rows up to ${event.origin}` : '');
    case 'session.forgotten':
      return `${event.rows} rows of a removed session were forgotten`;
    case 'row.forgotten':
      return `was ${event.was}`;
    case 'session.restored':
      return 'its state, as it was';
    case 'reader.closed':
      return joined(event.why, `read ${event.start} to ${event.offset}`);
    default:
      return rest(event);
  }
}

function statusWords({
  model,
  context_used_percentage: used,
  cost_usd: cost,
}: Record<string, unknown>): string {
  return joined(
    short(model ?? ''),
    typeof used === 'number' ? `context ${Math.round(used)}%` : '',
    typeof cost === 'number' ? `$${cost.toFixed(2)}` : '',
  );
}

/** Ids that say nothing to a reader: the whole frame has them. */
const quiet = new Set(['type', 'turn', 'prompt', 'heard']);

/** Every other frame shows its fields as they are. */
const rest = (event: SessionEvent): string =>
  Object.entries(event)
    .filter(([name]) => !quiet.has(name))
    .map(([name, value]) => `${name}=${short(value)}`)
    .join(' ');
