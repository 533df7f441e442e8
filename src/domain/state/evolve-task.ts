// What Claude Code runs beside its turns: agents, commands in the background, calls that took too long.
import type { SessionEvent } from '../../protocol/events/events.ts';
import { keptTasks, type Session } from './session.ts';
import type { Task } from './task.ts';

type TaskEvent = Extract<SessionEvent, { type: 'task.began' | 'task.ended' | 'activity' }>;

/** @param at wall clock, epoch ms */
export function evolveTask(session: Session, event: TaskEvent, at: number): Session {
  switch (event.type) {
    case 'task.began':
      return began(session, event, at);
    case 'task.ended': {
      const { task: id, told, status } = event;
      if (told) return { ...session, tasks: session.tasks.filter((task) => task.id !== id) };
      const state = status === 'unlisted' ? 'missed' : 'ended';
      return mapTask(session, id, ({ doing: _, ...task }) => ({ ...task, state }));
    }
    case 'activity': {
      const { agent, phase, tool } = event;
      if (agent === undefined || phase !== 'started') return session;
      // Whatever was heard of its end, it goes on.
      return mapTask(session, agent, (task) => ({ ...task, state: 'running', doing: tool }));
    }
    default:
      return event satisfies never;
  }
}

function began(
  session: Session,
  { task: id, kind, title, turn, hook }: Extract<TaskEvent, { type: 'task.began' }>,
  at: number,
): Session {
  const known = session.tasks.find((task) => task.id === id);
  const isSameRun = known?.state === 'running';
  const words = title ?? known?.title;
  const from = known?.turn ?? turn;
  const task: Task = {
    id,
    kind: known?.kind ?? kind,
    hook,
    since: isSameRun ? known.since : at,
    state: 'running',
    ...(words !== undefined && { title: words }),
    ...(from !== undefined && { turn: from }),
    ...(isSameRun && known.doing !== undefined && { doing: known.doing }),
  };
  const tasks = known
    ? session.tasks.map((each) => (each === known ? task : each))
    : [...session.tasks, task].slice(-keptTasks);
  return { ...session, tasks };
}

function mapTask(session: Session, id: string, change: (task: Task) => Task): Session {
  const at = session.tasks.findIndex((task) => task.id === id);
  const task = session.tasks[at];
  return task ? { ...session, tasks: session.tasks.with(at, change(task)) } : session;
}
