// Where Claude Code keeps what was said in its sessions: `projects/<folder>/<id>.jsonl` below its own folder. It resumes
// one from whichever project it lies in (measured on 2.1.330).
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** The project of a folder: every sign that is no letter or digit is a hyphen. */
const projectOf = (cwd: string): string => cwd.replaceAll(/[^A-Za-z0-9]/g, '-');

/** @param claude its folder @returns undefined when there is none: it has had no prompt yet */
export function transcriptOf(claude: string, id: string): string | undefined {
  const projects = join(claude, 'projects');
  try {
    return readdirSync(projects)
      .map((project) => join(projects, project, `${id}.jsonl`))
      .find((path) => existsSync(path));
  } catch {
    return undefined;
  }
}

/** Where it lies for a session that works in `cwd`. */
export const transcriptFor = (claude: string, id: string, cwd: string): string =>
  join(claude, 'projects', projectOf(cwd), `${id}.jsonl`);
