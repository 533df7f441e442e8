import { modeFindings } from '../../setup/modes.ts';
import type { Examination } from '../examination.ts';

/** Modes in which Claude Code does not start, or rules cannot do what they say. */
export const modes: Examination = async ({ config, env }) =>
  modeFindings(config, { uid: process.geteuid?.(), env });
