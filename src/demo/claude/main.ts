// The simulated Claude Code: a real program with a real terminal, hooks and MCP servers, and a script for a brain.
import { never } from '../../base/never.ts';
import { parseArgv } from './settings/flags.ts';
import { readKnobs } from './settings/knobs.ts';

const played = '2.1.332';

/**
 * Runs one invocation. What most of them ask is one line, and every bridge asks two of them: only a session loads the rest.
 * @returns the exit code; an interactive session ends the process itself.
 */
export async function main(argv: string[], env: NodeJS.ProcessEnv): Promise<number> {
  const knobs = readKnobs(env);
  const version = knobs.version ?? played;
  const say = (text: string) => process.stdout.write(`${text}\n`);
  const invocation = parseArgv(argv);
  switch (invocation.kind) {
    case 'version':
      say(`${knobs.start.kind === 'old' ? '1.0.0' : version} (Claude Code)`);
      return 0;
    case 'auth-status':
      say(
        JSON.stringify(
          { loggedIn: knobs.signedIn, authMethod: knobs.signedIn ? 'simulated' : 'none' },
          null,
          2,
        ),
      );
      return knobs.signedIn ? 0 : 1;
    case 'agents':
      say(JSON.stringify((await import('./settings/live-sessions.ts')).liveSessions(env)));
      return 0;
    case 'error':
      process.stderr.write(`${invocation.message}\n`);
      return 1;
    case 'print':
      return (await import('./runs.ts')).runPrint(invocation, knobs);
    case 'interactive':
      return (await import('./runs.ts')).runSession({ flags: invocation.flags, knobs, env, version });
    default:
      return never(invocation);
  }
}

if (import.meta.main) process.exitCode = await main(process.argv.slice(2), process.env);
