import { adoptedWords, agentText, sentBy } from '../../../domain/views/words/message-words.ts';
import { modeText } from '../../../domain/views/words/mode-words.ts';
import { panicView, panicWords } from '../../../domain/views/words/panic-words.ts';
import type { JournalRow } from '../../../protocol/events/events.ts';
import { house } from '../../../protocol/events/house.ts';
import { safe, safeLine } from '../safe.ts';

const clock = (at: number) => new Date(at).toTimeString().slice(0, 8);
const head = (text: string, length = 60) => {
  const line = safeLine(text).trim();
  return line.length > length ? `${line.slice(0, length).toWellFormed()}…` : line;
};

/** One line for a person who watches, whatever a name in it holds; undefined for what is not worth one. */
export function narrate(row: JournalRow, node?: string): string | undefined {
  const words = wordsOf(row);
  const where = node === undefined ? '' : `${node}  `;
  const about = `${where}${row.session === house ? '' : `${safeLine(row.session)}  `}`;
  const line = words && `${clock(row.at)}  ${about}${safeLine(words)}`;
  return line && row.event.type === 'agent.dialog' ? `${line}\n${indent(row.event.screen)}` : line;
}

function wordsOf({ seq, event }: JournalRow): string | undefined {
  switch (event.type) {
    case 'turn.queued':
      return `${sentBy('message', event.quotes)}: ${head(event.text)}`;
    case 'turn.adopted':
      return `${adoptedWords(event.text, event.origin?.by)}: ${head(event.text)}`;
    case 'turn.joining':
      return 'its message goes into the turn that runs';
    case 'turn.parted':
      return 'its message did not get there, and waits again';
    case 'turn.settled':
      if (event.into !== undefined) return 'its message is part of that turn';
      return event.code ? `${event.outcome} (${event.code})` : event.outcome;
    case 'turn.cancelling':
      return `is being interrupted by ${head(event.by)}`;
    case 'agent.wanted':
      return `is wanted by ${head(event.by)}`;
    case 'agent.starting':
      return 'Claude Code starts';
    case 'agent.ready': {
      const reasons = event.health.map((each) => (each.info ? '' : ` — ${each.words}`)).join('');
      return `Claude Code is ready (pid ${event.pid}, ${event.delivery})${reasons}`;
    }
    case 'agent.adopted':
      return `Claude Code goes on after a restart of the bridge (pid ${event.pid})`;
    case 'agent.mode':
      return `Claude Code is in permission mode ${head(modeText(event.mode))} now`;
    case 'session.broken':
      return `the bridge lost track of it and restarts Claude Code: ${head(event.rule, 200)}`;
    case 'session.configured':
      return configured(event);
    case 'agent.dialog':
      return `Claude Code waits for you (${event.dialog}). Its screen:`;
    case 'agent.exited':
      return `Claude Code ended: ${head(event.detail, 200)}`;
    case 'permission.asked':
      return `${event.agent ? `${agentText(event.agent)} ` : ''}asks for ${event.tool}: synthesis approve ${event.code} | synthesis deny ${event.code}`;
    case 'permission.decided':
      return `${event.code} ${event.verdict === 'allow' ? 'allowed' : 'denied'} by ${event.by}`;
    case 'permission.voted':
      return `${event.code} has a yes of ${head(event.who ?? event.voter)}`;
    case 'policy.ruled':
      return `${head(event.tool)} ${event.verdict === 'allow' ? 'allowed' : 'denied'} by the policy: ${head(event.rule, 120)}`;
    case 'tool.called':
      return `calls ${head(event.tool)}`;
    case 'tool.progressed':
      return `its tool says: ${head(event.text, 120)}`;
    case 'turn.held':
      return `its message waits (${event.code}): ${head(event.detail, 200)}`;
    case 'turn.withdrawn':
      return 'its message was not taken: the disk is full';
    case 'turn.requeued':
      return 'its message waits again: nothing begins now';
    case 'bridge.panicked':
      return head(panicWords(panicView(event)), 300);
    case 'bridge.resumed':
      return `Work goes on, by ${head(event.by)}`;
    case 'bridge.secret':
      return event.now === null
        ? 'No decision takes an operator secret any more'
        : `Decisions take the operator secret ${head(event.now)}`;
    case 'bridge.provider':
      return `Provider ${event.provider} is ${event.status}${event.reason === null ? '' : `: ${head(event.reason, 200)}`}`;
    case 'bridge.compacted':
      // Most snapshots only make the next start shorter.
      return event.origin === seq - 1
        ? `Older rows were put into the archive, up to row ${event.origin}`
        : undefined;
    case 'session.labelled':
      return event.label === undefined ? 'has no name any more' : `is called ${head(event.label)} now`;
    case 'session.housed':
      return event.node === undefined ? 'lives on this machine' : `goes to ${head(event.node)}`;
    case 'session.held':
      return `waits: whether it still lives on ${head(event.node)} is not known`;
    case 'session.forgotten':
      return `A removed session was forgotten: ${event.rows} rows say nothing any more`;
    case 'lease.taken':
      return `${head(event.by)} types into Claude's terminal`;
    case 'lease.released':
      return `nobody types into Claude's terminal any more (${head(event.why)})`;
    default:
      return undefined;
  }
}

function configured({
  launch,
  waiting,
}: Extract<JournalRow['event'], { type: 'session.configured' }>): string {
  const { sandbox = 'off', contain = 'off' } = launch;
  const walls = contain === 'off' ? '' : `, contain ${contain}`;
  const boxed = (sandbox === 'off' ? '' : `, sandbox ${sandbox}`) + walls;
  const mode = `permission mode ${modeText(launch.permissionMode)}${boxed}`;
  return `follows the configuration (${mode})${waiting ? '; the rest of it waits for synthesis restart' : ''}`;
}

/** The screen of a dialog, shown whole so that the operator can judge it. */
const indent = (screen: string): string =>
  screen
    .split('\n')
    .map((line) => safe(line).trimEnd())
    .filter((line) => line !== '')
    .map((line) => `    ${line}`)
    .join('\n');
