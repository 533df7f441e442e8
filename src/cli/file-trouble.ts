import { CliError } from './cli-error.ts';

/** What the system says about a file or its disk that the user can do something about. */
const reasons: Record<string, string> = {
  EROFS: 'its disk is read-only',
  ENOSPC: 'its disk is full',
  EDQUOT: 'your share of its disk is used up',
  EACCES: 'you have no permission',
  EPERM: 'you have no permission',
  ENOTDIR: 'something on the way there is no folder',
  ENAMETOOLONG: 'its name is too long',
  ELOOP: 'links lead there in a circle',
  EIO: 'its disk fails',
};

/** @returns what to say instead of a stack trace, undefined when the error is not about a file */
export function fileTrouble(error: unknown): CliError | undefined {
  if (!(error instanceof Error && 'code' in error && 'syscall' in error)) return undefined;
  if (error.syscall === 'uv_cwd') return folderGone;
  const why = reasons[String(error.code)];
  if (why === undefined) return undefined;
  const path = 'path' in error ? String(error.path) : 'A file';
  return new CliError(
    'failure',
    'file_trouble',
    `${path} cannot be used: ${why} (${error.code}).`,
    'What was kept before is still there. Make it writable, make room, or choose another folder (--state-dir); then try again.',
  );
}

const folderGone = new CliError(
  'usage',
  'bad_folder',
  'The folder you are in does not exist any more. What was kept before is still there.',
  'Go to one that exists (`cd`), and run the same command again.',
);
