import type { Command } from '../../src/domain/commands.ts';
import { decide } from '../../src/domain/decide/decide.ts';
import { evolve } from '../../src/domain/state/evolve.ts';
import { emptySession, type Session } from '../../src/domain/state/session.ts';

/** A session with one turn `t` in which Claude works. */
export function evolved(meta: Record<string, string>): Session {
  const commands: Command[] = [
    {
      type: 'turn.submit',
      turn: 't',
      claude: 'uuid',
      launch: { cwd: '/w', permissionMode: 'manual', delivery: 'auto' },
      ingress: 'openai',
      text: 'go',
      meta,
    },
    { type: 'prompt.taken', turn: 't' },
  ];
  let session = emptySession('k');
  for (const command of commands) {
    const decision = decide(session, command, { queued: 3 });
    if ('rejection' in decision) throw new Error(decision.rejection.code);
    for (const event of decision.events) session = evolve(session, event, 0);
  }
  return session;
}
