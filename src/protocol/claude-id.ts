import { z } from 'zod';

/**
 * Claude Code's id of a session, a UUID as Claude Code and the bridge write them. It becomes part of a command line and
 * of file names, so nothing else is taken for one, whoever says it: a hook, or the journal.
 */
export const ClaudeId = z
  .string()
  .regex(/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/, 'expected a UUID in lower case');
