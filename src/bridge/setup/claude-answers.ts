// What Claude Code asks a person once before it works: who it is for, and whether a folder may be trusted. The rest of
// its own file, accounts among it, is dropped while it is read.
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { folderFault } from '../../base/files/folder-fault.ts';
import { readFile, realpath, stat } from '../../base/files/promised-fs.ts';

interface Answers {
  isSetUp: boolean;
  trusted: ReadonlySet<string>;
}

type Env = Readonly<Record<string, string | undefined>>;

/**
 * Folders that Claude Code will ask about; undefined when it was never set up for this user, and asks that first.
 * A file that is missing or broken holds no answers.
 */
export async function untrusted(folders: readonly string[], env: Env): Promise<string[] | undefined> {
  const answers = await answersIn(join(env.CLAUDE_CONFIG_DIR || env.HOME || homedir(), '.claude.json'));
  if (!answers.isSetUp) return undefined;
  const trusted = await Promise.all(folders.map((folder) => isTrusted(folder, answers)));
  return folders.filter((_, at) => !trusted[at]);
}

/** A Claude Code that is started there gets to its prompt, as far as it can be told: who was never asked may be trusted. */
export async function isReadyFolder(folder: string, env: Env): Promise<boolean> {
  if ((await folderFault(folder)) !== undefined) return false;
  return (await untrusted([folder], env))?.length !== 1;
}

/** What was read last: the file may be large, Claude Code writes it all the time, and every reading holds the bridge up. */
interface Reading {
  path: string;
  /** Of the file: it changes with every change. */
  version: string;
  answers: Promise<Answers>;
  /** Until when changes wait, by `now()`. */
  restUntil: number;
}

let last: Reading | undefined;

/** Monotonic, ms. For `performance` Node loads a module when it is first asked for: 1 ms of a start. */
const now = (): number => process.uptime() * 1000;

/**
 * What is longer than this, characters, is followed by a rest, this many times as long as it took. Not by time alone: on
 * a busy machine a short file would rest, too, and a change of it would be seen late.
 */
const rest = { from: 256 * 1024, times: 20 };

async function answersIn(path: string): Promise<Answers> {
  const version = await versionOf(path);
  const isKnown = last?.path === path && (last.version === version || now() < last.restUntil);
  if (last && isKnown) return last.answers;
  const text = readFile(path, 'utf8').catch(() => '');
  const reading: Reading = { path, version, answers: text.then(read), restUntil: 0 };
  last = reading;
  return reading.answers;

  function read(content: string): Answers {
    const began = now();
    const answers = answersOf(content);
    if (content.length > rest.from) reading.restUntil = now() + rest.times * (now() - began);
    return answers;
  }
}

async function versionOf(path: string): Promise<string> {
  const found = await stat(path, { bigint: true }).catch(() => undefined);
  return found ? `${found.ino} ${found.size} ${found.mtimeNs} ${found.ctimeNs}` : 'none';
}

/** Looked at by hand: a schema would take 10 ms of a start. */
function answersOf(content: string): Answers {
  try {
    const { hasCompletedOnboarding, projects } = JSON.parse(content);
    const trusted = Object.entries<{ hasTrustDialogAccepted?: unknown } | null>(projects ?? {}).flatMap(
      ([folder, about]) => (about?.hasTrustDialogAccepted === true ? [folder] : []),
    );
    return { isSetUp: hasCompletedOnboarding === true, trusted: new Set(trusted) };
  } catch {
    return { isSetUp: false, trusted: new Set() };
  }
}

/** Trust of a folder above suffices (measured on 2.1.329). */
async function isTrusted(folder: string, { trusted }: Answers): Promise<boolean> {
  const real = await realpath(folder).catch(() => folder);
  return [folder, real].flatMap(above).some((each) => trusted.has(each));
}

const above = (folder: string): string[] =>
  dirname(folder) === folder ? [folder] : [folder, ...above(dirname(folder))];
