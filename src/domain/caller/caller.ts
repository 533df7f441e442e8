// Who calls the bridge on this machine, and what they may do. Pure: what is known of the calling process comes as facts.

/** What a call does, the harmless first: end something or say no, read, hand something to Claude, decide what runs. */
export type Right = 'stop' | 'look' | 'say' | 'decide';

/**
 * `operator`: a person at a terminal. `claude`: something that a Claude Code of this bridge has started. `unattended`: a
 * program without a terminal, such as a timer or a script. `unknown`: the system does not tell.
 */
export type CallerKind = 'operator' | 'claude' | 'unattended' | 'unknown';

export interface Caller {
  kind: CallerKind;
  /** What it was told by, in words: `it runs below a Claude Code`. */
  why: string;
  /** Where it comes from: its terminal and the programs that it runs below, such as `pts/3: zsh, tmux`. */
  from: string;
  /** Folder of the session whose Claude Code has started it; absent when that is not known. */
  session?: string;
}

/** A process, as far as it tells who calls. */
export interface Ancestor {
  pid: number;
  /** What it was called as. */
  command: string;
  /** Such as `pts/3`; undefined without one. */
  terminal: string | undefined;
  /** It is a host of this bridge: the folder of its session. */
  host?: string | undefined;
  /** It was started with the mark of a run of this bridge, or runs in the scope of one of its hosts. */
  isMarked: boolean;
}

/** A login by ssh that a process runs in. */
export type Login =
  /** From another machine, which the table of connections confirms. */
  | { name: 'remote'; address: string }
  /** From this machine: whoever holds the other end. */
  | { name: 'local'; of: Caller }
  /** Nothing confirms where it comes from. */
  | { name: 'unconfirmed' };

export interface CallerFacts {
  /** The calling process, its parent, and so on; empty when it is gone. */
  chain: readonly Ancestor[];
  login?: Login | undefined;
}

/** Programs that start others at a time, with nobody there. */
const schedulers = new Set(['cron', 'crond', 'atd', 'anacron', 'fcron']);

/** Returns who it is, by the first thing that is known of them. */
export function judgeCaller({ chain, login }: CallerFacts): Caller {
  const from = fromWords(chain, login);
  const host = chain.find((each) => each.host !== undefined)?.host;
  if (host !== undefined) return { kind: 'claude', why: 'it runs below a Claude Code', from, session: host };
  if (chain.some(({ isMarked }) => isMarked))
    return { kind: 'claude', why: 'it was left behind by a Claude Code', from };
  if (chain.length === 0) return { kind: 'unknown', why: 'it is gone, or cannot be looked at', from };
  if (login?.name === 'local' && login.of.kind !== 'operator') return { ...login.of, from };
  if (login?.name === 'unconfirmed')
    return { kind: 'unattended', why: 'nothing confirms where its login by ssh comes from', from };
  const timer = chain.find(({ command }) => schedulers.has(command));
  if (timer) return { kind: 'unattended', why: `${timer.command} has started it`, from };
  // A command that is run on a machine by ssh has no terminal, and a person behind it.
  if (login || chain[0]?.terminal !== undefined) return { kind: 'operator', why: 'it has a terminal', from };
  return { kind: 'unattended', why: 'it has no terminal', from };
}

/**
 * Returns whether a caller may do this. What Claude has started may only stop things, whatever it shows.
 * @param isTrusted they showed a token that may decide, or the configuration lets such callers decide
 */
export function mayCall({ kind }: Caller, right: Right, isTrusted: boolean): boolean {
  if (kind === 'operator' || right === 'stop') return true;
  return kind !== 'claude' && (right !== 'decide' || isTrusted);
}

/**
 * Returns whether a caller of the port may write as a chat with a token that fits. A hub has no terminal.
 * @param isTrusted the configuration lets those in of whom the system does not tell who they are
 */
export const mayPost = ({ kind }: Caller, isTrusted: boolean): boolean =>
  kind === 'unknown' ? isTrusted : kind !== 'claude';

/** Returns the highest of what a caller may do: what another node goes by. */
export const highestRight = (caller: Caller, isTrusted: boolean): Right =>
  (['decide', 'say', 'look'] as const).find((right) => mayCall(caller, right, isTrusted)) ?? 'stop';

/** Programs that are named; a chain ends with those that everything runs below. */
const maxNamed = 4;

function fromWords(chain: readonly Ancestor[], login: Login | undefined): string {
  const terminal = chain[0]?.terminal ?? 'no terminal';
  // The first is the command itself.
  const programs = chain.slice(1, 1 + maxNamed).map(({ command }) => command);
  const place = login?.name === 'remote' ? [`ssh from ${login.address}`] : [];
  return [[terminal, ...place].join(', '), programs.join(', ')].filter(Boolean).join(': ');
}
