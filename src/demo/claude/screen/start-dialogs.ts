// The dialogs that may stand between the start and the first prompt.
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { never } from '../../../base/never.ts';
import type { Flags } from '../settings/flags.ts';
import type { Knobs, StartDialog } from '../settings/knobs.ts';
import type { Dialog } from './dialog.ts';

export type StartEffect = { kind: 'go-on' } | { kind: 'quit'; code: number };

const goOn: StartEffect = { kind: 'go-on' };
const quit: StartEffect = { kind: 'quit', code: 1 };
const hint = 'Enter to confirm · Esc to cancel';

/** Which dialogs come, in order. Without a knob only the development channel flag asks for one. */
export function startDialogs(
  knobs: Knobs,
  flags: Flags,
  env: NodeJS.ProcessEnv,
  cwd: string,
): Dialog<StartEffect>[] {
  const usual: StartDialog[] = flags.devChannels.length > 0 && knobs.channels === 'on' ? ['devchannels'] : [];
  const wanted = new Set([...(knobs.dialogs ?? []), ...(knobs.dialogs?.length === 0 ? [] : usual)]);
  if (isTrusted(env, cwd)) wanted.delete('trust');
  const order: StartDialog[] = ['trust', 'apikey', 'unknown', 'servers', 'devchannels', 'resume'];
  return order.filter((name) => wanted.has(name)).map((name) => build(name, flags, cwd));
}

function build(name: StartDialog, flags: Flags, cwd: string): Dialog<StartEffect> {
  switch (name) {
    case 'trust':
      return {
        lines: [
          ' Accessing workspace:',
          '',
          ` ${cwd}`,
          '',
          ' Quick safety check: do you know this folder and trust what is in it?',
          '',
        ],
        options: [
          { label: 'No, exit', effect: quit },
          { label: 'Yes, I trust this folder', effect: goOn },
        ],
        selected: 0,
        numbered: false,
        cancel: quit,
        hint,
      };
    case 'apikey':
      return {
        lines: [
          ' Detected a custom API key in your environment',
          '',
          ' ANTHROPIC_API_KEY: sk-ant-…simulated',
          '',
          ' Do you want to use this API key?',
          '',
        ],
        options: [
          { label: 'Yes', effect: goOn },
          { label: 'No (recommended)', effect: goOn },
        ],
        selected: 1,
        numbered: true,
        cancel: goOn,
        hint,
      };
    case 'devchannels':
      return {
        lines: [
          ' WARNING: Loading development channels',
          '',
          ' --dangerously-load-development-channels is meant for channels under development on this machine.',
          ' Do not load a channel that you downloaded from somewhere.',
          '',
          ` Channels: ${flags.devChannels.join(', ')}`,
          '',
        ],
        options: [
          { label: 'I am using this for local development', effect: goOn },
          { label: 'Exit', effect: quit },
        ],
        selected: 0,
        numbered: true,
        cancel: quit,
        hint,
      };
    case 'unknown':
      return {
        lines: [
          ' Something new wants to be decided',
          '',
          ' The simulated Claude invented this question.',
          '',
        ],
        options: [
          { label: 'Leave', effect: quit },
          { label: 'Continue', effect: goOn },
        ],
        selected: 0,
        numbered: true,
        cancel: quit,
        hint,
      };
    // In the words of no release: one that decides what is started.
    case 'servers':
      return {
        lines: [' Two tool servers come with this project', '', ' kites, balloons', ''],
        options: [
          { label: 'Go on without them', effect: goOn },
          { label: 'Use both', effect: goOn },
        ],
        selected: 0,
        numbered: true,
        cancel: goOn,
        hint,
      };
    // As 2.1.332 draws it; there the session has begun by then.
    case 'resume':
      return {
        lines: [
          '  This session is 2h old and 120k tokens.',
          '',
          '  Resuming the full session uses a lot of your usage limits. Resuming from a summary uses less.',
          '',
        ],
        options: [
          { label: 'Resume from summary (instant, recommended)', effect: goOn },
          { label: 'Resume full session as-is', effect: goOn },
          { label: "Don't ask again", effect: goOn },
        ],
        selected: 0,
        numbered: true,
        cancel: goOn,
        hint,
      };
    default:
      return never(name);
  }
}

/** Trust of a parent folder suffices (measured on 2.1.329). Read only: the answer is never written down. */
function isTrusted(env: NodeJS.ProcessEnv, cwd: string): boolean {
  const file = join(env.CLAUDE_CONFIG_DIR ?? env.HOME ?? '/', '.claude.json');
  if (!existsSync(file)) return false;
  try {
    const { projects = {} } = JSON.parse(readFileSync(file, 'utf8')) as {
      projects?: Record<string, { hasTrustDialogAccepted?: boolean } | undefined>;
    };
    for (let at = cwd; ; at = dirname(at)) {
      if (projects[at]?.hasTrustDialogAccepted) return true;
      if (dirname(at) === at) return false;
    }
  } catch {
    return false;
  }
}
