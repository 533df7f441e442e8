// What Claude Code asks a person once before it works: who it is for, and whether a folder may be trusted. The rest of
// its own file, accounts among it, is dropped while it is read.
import { readFile, realpath } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { z } from 'zod';
import { ok, warning } from '../../domain/views/check.ts';
import { launchFolders } from '../profiles.ts';
import type { Examination } from './examination.ts';

const name = 'first-run';

const Answers = z.object({
  hasCompletedOnboarding: z.boolean().catch(false),
  projects: z
    .record(
      z.string(),
      z.object({ hasTrustDialogAccepted: z.boolean().catch(false) }).catch({ hasTrustDialogAccepted: false }),
    )
    .catch({}),
});
type Answers = z.infer<typeof Answers>;

export const firstRun: Examination = async ({ config, env }) => {
  const answers = await answersIn(join(env.CLAUDE_CONFIG_DIR || env.HOME || homedir(), '.claude.json'));
  if (!answers.hasCompletedOnboarding) {
    const remedy = 'Run `claude` once and answer what it asks.';
    return [warning(name, 'Claude Code was never set up for this user.', remedy)];
  }
  const used = [...new Set(launchFolders({ ...config, cwd: resolve(config.cwd ?? '.') }))];
  const trusted = await Promise.all(used.map((folder) => isTrusted(folder, answers)));
  const strange = used.filter((_, at) => !trusted[at]);
  if (strange.length === 0)
    return [ok(name, 'Claude Code is set up and trusts the folders that sessions work in.')];
  return strange.map((folder) =>
    warning(
      name,
      `Claude Code does not trust ${folder} yet.`,
      `Run \`claude\` in ${folder} once and accept it.`,
    ),
  );
};

/** A file that is missing or broken holds no answers: Claude Code asks again. */
async function answersIn(path: string): Promise<Answers> {
  const text = await readFile(path, 'utf8').catch(() => '');
  try {
    return Answers.parse(JSON.parse(text));
  } catch {
    return { hasCompletedOnboarding: false, projects: {} };
  }
}

/** Trust of a folder above suffices (measured on 2.1.329). */
async function isTrusted(folder: string, { projects }: Answers): Promise<boolean> {
  const real = await realpath(folder).catch(() => folder);
  return [folder, real].flatMap(above).some((each) => projects[each]?.hasTrustDialogAccepted === true);
}

const above = (folder: string): string[] =>
  dirname(folder) === folder ? [folder] : [folder, ...above(dirname(folder))];
