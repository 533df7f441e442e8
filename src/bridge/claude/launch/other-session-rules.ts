// Rules that keep one conversation's Claude away from what the others leave behind. Claude Code lets every session of a
// folder read all transcripts, results of tools, temporary files and tasks of that folder without a question (measured on
// 2.1.332). A search over the whole folder (`grep -r`) is not stopped by them, see docs/security.md.
import { basename } from 'node:path';
import { memoryFolder } from './memory-folder.ts';
import { denied, places } from './own-file-rules.ts';

export interface OtherSessions {
  /** Claude Code's own folder. */
  claudeFolder: string;
  /** Where it keeps temporary files. */
  tmp: string;
  stateDir: string;
  /** Of the session that is started. */
  key: string;
  /** Id of its Claude session. */
  claude: string;
}

/** In Claude Code's folder, what it keeps of all sessions together: prompts, pasted texts, how to reach the running ones. */
const ofAll = ['history.jsonl', 'paste-cache/**', 'sessions/**'];
/** In its folder, where each entry is named after its session; `projects` has a folder for each working folder. */
const byId = ['projects/*', 'tasks', 'file-history'];

/** Values of `permissions.deny`. */
export function otherSessionRules({ claudeFolder, tmp, stateDir, key, claude }: OtherSessions): string[] {
  const own = places(claudeFolder);
  const named = [
    ...own.flatMap((dir) => byId.map((name) => `${dir}/${name}`)),
    ...places(tmp).map((dir) => `${dir}/claude-*/*`),
  ];
  const memories = places(stateDir).map((dir) => `${dir}/memory`);
  return denied([
    ...own.flatMap((dir) => ofAll.map((name) => `${dir}/${name}`)),
    ...named.flatMap((dir) => othersThan(claude, dir)),
    ...memories.flatMap((dir) => othersThan(basename(memoryFolder(key)), dir)),
  ]);
}

const hex = [...'0123456789abcdef'];
/** One in 16 million ids begins alike. */
const compared = 6;

/** Patterns for the names in a folder that begin otherwise: a denial cannot be lifted for one name. @param own hexadecimal */
const othersThan = (own: string, dir: string): string[] =>
  Array.from({ length: compared }, (_, at) => {
    const rest = hex.filter((digit) => digit !== own[at]).join('');
    return `${dir}/${own.slice(0, at)}[${rest}]*`;
  });
