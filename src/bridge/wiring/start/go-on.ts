// What a bridge before has left of its conversations goes on, with what the configuration says now.
import { join } from 'node:path';
import { hashId } from '../../../base/digest.ts';
import type { Log } from '../../../base/log.ts';
import { runMark } from '../../../base/process/run-mark.ts';
import { systemClock } from '../../../base/time/clock.ts';
import { deliveringTurn, type Session } from '../../../domain/state/session.ts';
import type { Config } from '../../../protocol/settings/config.ts';
import type { Deadlines } from '../../app/deadlines.ts';
import type { Dispatcher } from '../../app/dispatcher.ts';
import type { LateResults } from '../../app/late-results.ts';
import { promptOf } from '../../app/prompt-of.ts';
import { agentSession } from '../../app/reactor.ts';
import type { ClaudeAgent } from '../../claude/claude-agent.ts';
import { isSubmitOf } from '../../claude/delivery/deliver-typed.ts';
import type { Host, LivingHost } from '../../claude/host-port.ts';
import { knownRun } from '../../claude/known-run.ts';
import { sweepRuns } from '../../claude/process/lost-host.ts';
import { readMemo } from '../../claude/process/run-memo.ts';
import { leftWords } from '../../claude/screen/exit-reading.ts';
import { loadMcpServer } from '../../claude/tools/served-tools.ts';
import { launchOptions } from '../../profiles.ts';
import { goneHosts, hostFolders } from '../../terminal/host-folders.ts';
import type { OwnedHosts } from '../../terminal/owned-hosts.ts';

export interface GoOnOptions {
  dispatcher: Dispatcher;
  deadlines: Deadlines;
  agent: Pick<ClaudeAgent, 'adopt'>;
  config: Config & { cwd: string };
  results: LateResults;
  stateDir: string;
  /** Of `hostSecret`. */
  secret: string;
  /** Is told of each host that is taken over. */
  hosts: OwnedHosts;
  log: Log;
}

/** Name of a session's folder → its host. */
type Hosts = ReadonlyMap<string, Host & { find(): Omit<LivingHost, 'host'> | undefined }>;

/** Becomes the owner of every host that outlived the bridge before. */
async function takeHosts({ stateDir, secret, log, hosts: owned }: GoOnOptions): Promise<Hosts> {
  const sessions = join(stateDir, 'sessions');
  const folders = hostFolders(sessions);
  // Most starts find none, and load nothing for it.
  if (folders.length === 0) return new Map();
  const [{ takeHost }] = await Promise.all([
    import('../../terminal/take-host.ts'),
    // A kept message is heard in the tick in which it comes: what a cursor says of it is true then.
    loadMcpServer().catch(() => {}),
  ]);
  const hosts = new Map<string, Awaited<ReturnType<typeof takeHost>> & object>();
  const take = async ({ name, file }: (typeof folders)[number]) => {
    // Before it is heard: what runs below it may call already.
    owned.add(file, name);
    const host = await takeHost(file, secret, systemClock, log);
    if (host) hosts.set(name, host);
  };
  await Promise.all(folders.map(take));
  return hosts;
}

/**
 * Ends what is left of hosts that were killed while no bridge was there to see it.
 * @returns what that was, in words, by the name of the session's folder
 */
function sweepLost({ stateDir, log }: GoOnOptions): Map<string, string> {
  const sessions = join(stateDir, 'sessions');
  const gone = goneHosts(sessions).map(({ name, file }) => ({
    name,
    mark: runMark(join(sessions, name), file.run),
  }));
  const swept = sweepRuns(gone.map(({ mark }) => mark));
  return new Map(
    gone.flatMap(({ name, mark }) => {
      const words = leftWords(swept.get(mark));
      if (words === '') return [];
      log.warn('ended what a host left that was killed meanwhile', { folder: name, left: swept.get(mark) });
      return [[name, words]];
    }),
  );
}

/**
 * Resolves when every session goes on: with its Claude Code where that is alive and was ready, else with a new one. One
 * that is not gone on with is ended first: two would fork the history.
 */
export async function goOn(options: GoOnOptions): Promise<void> {
  const { dispatcher, deadlines, config } = options;
  const hosts = await takeHosts(options);
  const left = sweepLost(options);
  const living = new Map<string, LivingHost>();
  for (const session of dispatcher.sessions()) {
    const { key } = session;
    // First: what recovers starts with what holds now.
    const launch = launchOptions(config, key);
    dispatcher.dispatch(key, { type: 'session.configure', launch, take: 'safe' });
    const found = livingHost(session, dispatcher.session(key), hosts.get(hashId(key)), config);
    if (found && !dispatcher.panic) living.set(key, found);
  }
  const taken = new Set([...living.values()].map(({ host }) => host));
  // While everything is stopped what runs below them must not go on for as long as an orderly end takes.
  const isAtOnce = dispatcher.panic !== undefined;
  await Promise.all(
    [...hosts.values()].filter((host) => !taken.has(host)).map((host) => host.quit(isAtOnce)),
  );
  for (const { key } of dispatcher.sessions()) {
    const host = living.get(key);
    if (!host || !adopt(options, key, host)) {
      const words = left.get(hashId(key));
      dispatcher.dispatch(key, { type: 'session.recover', ...(words && { left: words }) });
    }
    const session = dispatcher.session(key);
    if (session) deadlines.restore(session);
  }
}

/**
 * @returns undefined when it is another's, its Claude Code was not ready, or may do more than it is to from now on: who
 * starts the bridge with stricter settings wants nothing to go on without them
 */
function livingHost(
  { agent, run, claude }: Session,
  now: Session | undefined,
  host: ReturnType<Hosts['get']>,
  { policy }: Config,
): LivingHost | undefined {
  const [was, is] = [claude?.launch, now?.claude?.launch];
  const isAskedFor =
    was?.permissionMode === is?.permissionMode &&
    was?.sandbox === is?.sandbox &&
    was?.contain === is?.contain;
  if (!host || agent.name !== 'ready' || !isAskedFor) return undefined;
  if (policy.length > 0 && !readMemo(host.memo).policed) return undefined;
  const found = host.find();
  return found && found.run === run ? { host, ...found } : undefined;
}

function adopt({ dispatcher, agent, results }: GoOnOptions, key: string, living: LivingHost): boolean {
  const before = dispatcher.session(key);
  const turn = before && deliveringTurn(before);
  const typed = turn !== undefined && isSubmitOf(living.typed, turn.id);
  const { pid } = living.terminal;
  if (!dispatcher.dispatch(key, { type: 'session.adopt', run: living.run, pid, typed }).ok) return false;
  const session = dispatcher.session(key);
  const target = session && agentSession(session);
  if (!target || session.agent.name !== 'ready') return false;
  const now = deliveringTurn(session);
  const prompt = now?.phase.name === 'delivering' ? promptOf(now, now.phase.attempt) : undefined;
  const { delivery } = session.agent;
  const known = knownRun(session, results.of(key));
  agent.adopt(target, living, known, { delivery, health: session.health }, prompt);
  return true;
}
