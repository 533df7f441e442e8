// Claude Code has ended, and with it what it ran beside its turns. Nobody comes back to ask for that, so whoever it was
// for is told, by a turn that fails as it begins.
import type { Origin, SessionEvent } from '../../protocol/events/events.ts';
import type { Session } from '../state/session.ts';
import type { Task } from '../state/task.ts';
import { derivedId } from './whose.ts';

/** @param why Claude Code ended, in words */
export function tasksLost(session: Session, why: string): SessionEvent[] {
  if (session.removed) return [];
  const lost = session.tasks.flatMap((task) => {
    const isLost = task.kind !== 'call' && task.state !== 'missed';
    const origin = isLost ? originOf(session, task) : undefined;
    return origin ? [{ task, origin }] : [];
  });
  const runs = Map.groupBy(lost, ({ origin }) => JSON.stringify([origin.ingress, origin.meta.unattended]));
  return [...runs.values()].flatMap((tasks): SessionEvent[] => {
    const { task, origin } = tasks.at(-1) ?? {};
    if (!task || !origin) return [];
    const turn = derivedId(session, `lost ${task.id}`);
    const names = tasks.map((each) => nameOf(each.task)).join(', ');
    const detail = `${names}: ${why.split('\n', 1)[0]}`;
    return [
      { type: 'turn.adopted', turn, text: '', origin },
      { type: 'turn.settled', turn, outcome: 'failed', code: 'tasks_lost', detail },
    ];
  });
}

/** Of a turn that was forgotten it is kept what it left behind. */
function originOf({ turns, errands }: Session, { id, turn }: Task): Origin | undefined {
  const known = turns.find((each) => each.id === turn) ?? errands.find(({ task }) => task === id);
  if (!known) return undefined;
  const { ingress, meta, sender } = known;
  return { by: 'task', ingress, meta, ...(sender && { sender }) };
}

const kinds = { agent: 'agent', shell: 'command', call: 'call' } as const;

const nameOf = ({ kind, title, id }: Task): string => `${kinds[kind]} ${title ?? id}`;
