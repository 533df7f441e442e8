import { toCheck } from '../../setup/finding.ts';
import { auditFindings } from '../../setup/programs.ts';
import type { Examination } from '../examination.ts';

/** The commands of the journal's key and of its anchors are there; what they say, the bridge sees. */
export const audit: Examination = async ({ config, env }) =>
  auditFindings(config.audit, env.PATH).map(toCheck);
