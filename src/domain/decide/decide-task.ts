// What Claude Code runs beside its turns, as its hooks tell of it. Measured on 2.1.332: a list that comes with a hook may
// miss what began a moment before, and what was stopped by hand is told by nothing but its absence.
import { never } from '../../base/never.ts';
import type { SessionEvent } from '../../protocol/events/events.ts';
import type { AgentReport } from '../commands.ts';
import { runningTurn, type Session, workingAgents } from '../state/session.ts';
import type { Task } from '../state/task.ts';
import { type Decision, nothing } from './decision.ts';

type TaskReport = Extract<AgentReport, { type: 'task.begin' | 'task.end' | 'tasks.listed' }>;
type ReportOf<T extends TaskReport['type']> = Extract<TaskReport, { type: T }>;
type Told = Extract<AgentReport, { type: 'prompt.foreign' }>['told'];

/** A list knows what began this many hooks before it. */
const listLag = 4;

export function decideTask(session: Session, report: TaskReport): Decision {
  switch (report.type) {
    case 'task.begin':
      return begin(session, report);
    case 'task.end': {
      const known = session.tasks.find(({ id }) => id === report.task);
      const { task, status, told } = report;
      if (!known || (known.state !== 'running' && !told)) return nothing;
      return { events: [{ type: 'task.ended', task, status, ...(told && { told }) }] };
    }
    case 'tasks.listed':
      return { events: listed(session, report) };
    default:
      return never(report);
  }
}

function begin(session: Session, { task, kind, title, hook }: ReportOf<'task.begin'>): Decision {
  const known = session.tasks.find(({ id }) => id === task);
  if (known?.state === 'running' && (title === undefined || known.title === title)) return nothing;
  return { events: [began(session, { id: task, kind, ...(title !== undefined && { title }) }, hook)] };
}

/** It belongs to the turn that runs; what an agent begins when none does, to that of an agent at work. */
function began(session: Session, { id, kind, title }: Pick<Task, 'id' | 'kind' | 'title'>, hook: number) {
  const turn = runningTurn(session)?.id ?? workingAgents(session).at(-1)?.turn;
  return {
    type: 'task.began' as const,
    task: id,
    kind,
    hook,
    ...(title !== undefined && { title }),
    ...(turn !== undefined && { turn }),
  };
}

/**
 * What is missing was stopped without a word, or its end is about to be told. An agent's own agents are told to it alone:
 * what is missing once more is forgotten.
 */
function listed(session: Session, { tasks, hook, team }: ReportOf<'tasks.listed'>): SessionEvent[] {
  const here = new Set(tasks.map(({ id }) => id));
  const known = new Set(session.tasks.map(({ id }) => id));
  const mayMiss = ({ kind, state }: Task) => team === true && kind === 'agent' && state === 'running';
  // Of a teammate that has ended Claude is told without a word to us, in a turn that seems to go on with the one before.
  const isTold = ({ state }: Task) =>
    state === 'missed' || (team && state === 'ended' && runningTurn(session)?.origin === 'continued');
  const missing = session.tasks.filter(
    (task) => !here.has(task.id) && task.hook <= hook - listLag && !mayMiss(task),
  );
  return [
    ...tasks.filter(({ id }) => !known.has(id)).map((task) => began(session, task, hook)),
    ...missing.map((task): SessionEvent => {
      const ended = { type: 'task.ended' as const, task: task.id, status: 'unlisted' };
      return isTold(task) ? { ...ended, told: true } : ended;
    }),
  ];
}

/** Claude Code tells Claude what became of a task; of every agent, when somebody has stopped them all. */
export function toldEvents(session: Session, told: Told): SessionEvent[] {
  if (!told) return [];
  const { task, status } = told;
  const over = task === undefined ? workingAgents(session) : session.tasks.filter(({ id }) => id === task);
  return over.map(({ id }) => ({ type: 'task.ended', task: id, status, told: true }));
}
