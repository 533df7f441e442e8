/** A fault to play at start, before anything is drawn. */
type StartFault =
  | { kind: 'none' }
  | { kind: 'exit'; code: number }
  | { kind: 'hang' }
  | { kind: 'slow'; ms: number }
  | { kind: 'old' };

/** Why channels do or do not work here; only `on` delivers anything. */
export type ChannelRollout = 'on' | 'off' | 'provider' | 'policy' | 'pending' | 'allowlist';

/** How the prompt box is drawn: as known, or in one of the ways of releases to come. */
export const drawingNames = ['usual', 'sides', 'bare', 'double', 'shell', 'top', 'hidden'] as const;
export type DrawingName = (typeof drawingNames)[number];

export type StartDialog = 'trust' | 'apikey' | 'devchannels' | 'unknown' | 'servers' | 'resume';

/** How a test or the demo steers the simulated Claude from outside: `SIM_*` variables. */
export interface Knobs {
  /** Milliseconds between two streamed lines. */
  lineMs: number;
  /** Milliseconds from the prompt to the first line, the "model". */
  latencyMs: number;
  /** Milliseconds until an unanswered permission request becomes a Notification (6.4 s measured on 2.1.329). */
  notifyMs: number;
  /** Milliseconds of silence after a turn until Notification idle_prompt (60 s measured on 2.1.329). */
  idleMs: number;
  /** Milliseconds from the end of a turn to the unsolicited one that `[[bg:…]]` asked for. */
  backgroundMs: number;
  /** Milliseconds that a turn waits for an MCP call before the call goes on in the background; 0: until it is done. */
  mcpBackgroundMs: number;
  start: StartFault;
  /** The release that it says it is; undefined: the one that it plays. */
  version: string | undefined;
  dialogs: StartDialog[] | undefined;
  channels: ChannelRollout;
  signedIn: boolean;
  bashLog: string | undefined;
  /** A file that every prompt is appended to, as JSON: it outlives transcripts that are moved or removed. */
  promptLog: string | undefined;
  script: string | undefined;
  /** When offers open by themselves, as JSON by names of sessions, and a file of what became of them. */
  offers: string | undefined;
  offerLog: string | undefined;
  /** What a turn costs, US dollars; undefined: the status line tells nothing of costs. */
  turnUsd: number | undefined;
  alternateScreen: boolean;
  drawing: DrawingName;
  /** The window title shows what it does. */
  tellingTitle: boolean;
  /** `@path` in typed text attaches a file and opens a completion list. */
  attachments: boolean;
  /** With more characters than this in it the prompt box takes no key any more; `none` takes none at all. */
  boxMost: number;
}

/** Reads the knobs from an environment; anything unreadable falls back to the default. */
export function readKnobs(env: NodeJS.ProcessEnv): Knobs {
  const ms = (name: string, fallback: number) => {
    const value = Number(env[name]);
    return env[name] && Number.isFinite(value) && value >= 0 ? value : fallback;
  };
  return {
    lineMs: ms('SIM_LINE_MS', 40),
    latencyMs: ms('SIM_LATENCY_MS', 60),
    notifyMs: ms('SIM_NOTIFY_MS', 6400),
    idleMs: ms('SIM_IDLE_MS', 60_000),
    backgroundMs: ms('SIM_BG_MS', 300),
    mcpBackgroundMs: ms('CLAUDE_CODE_MCP_AUTO_BACKGROUND_MS', 120_000),
    start: startFault(env.SIM_START),
    version: env.SIM_VERSION,
    dialogs: startDialogs(env.SIM_DIALOG),
    channels: rollouts.find((name) => name === env.SIM_CHANNELS) ?? 'on',
    signedIn: env.SIM_SIGNED_OUT !== '1',
    bashLog: env.SIM_BASH_LOG,
    promptLog: env.SIM_PROMPT_LOG,
    script: env.SIM_SCRIPT,
    offers: env.SIM_OFFERS,
    offerLog: env.SIM_OFFER_LOG,
    turnUsd: env.SIM_TURN_USD === 'none' ? undefined : ms('SIM_TURN_USD', 0),
    alternateScreen: env.CLAUDE_CODE_DISABLE_ALTERNATE_SCREEN !== '1',
    drawing: drawingNames.find((name) => name === env.SIM_DRAWING) ?? 'usual',
    tellingTitle: env.SIM_TITLE !== 'none',
    attachments: env.CLAUDE_CODE_DISABLE_ATTACHMENTS !== '1',
    boxMost: env.SIM_BOX_MOST === 'none' ? -1 : ms('SIM_BOX_MOST', Number.POSITIVE_INFINITY),
  };
}

function startFault(value: string | undefined): StartFault {
  const [name, argument] = (value ?? '').split(':');
  switch (name) {
    case 'exit':
      return { kind: 'exit', code: Number(argument ?? 1) || 1 };
    case 'hang':
      return { kind: 'hang' };
    case 'slow':
      return { kind: 'slow', ms: Number(argument ?? 1000) || 1000 };
    case 'old':
      return { kind: 'old' };
    default:
      return { kind: 'none' };
  }
}

const rollouts: ChannelRollout[] = ['on', 'off', 'provider', 'policy', 'pending', 'allowlist'];

const dialogNames: StartDialog[] = ['trust', 'apikey', 'devchannels', 'unknown', 'servers', 'resume'];

/** `undefined` = what the flags call for; `SIM_DIALOG=none` = never any; otherwise a comma-separated list. */
function startDialogs(value: string | undefined): StartDialog[] | undefined {
  if (!value) return undefined;
  const wanted = value.split(',');
  return dialogNames.filter((name) => wanted.includes(name));
}
