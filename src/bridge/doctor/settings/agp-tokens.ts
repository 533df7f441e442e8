import { ok } from '../../../domain/views/check.ts';
import { toCheck } from '../../setup/finding.ts';
import { agpToken } from '../../setup/tokens.ts';
import type { Examination } from '../examination.ts';

/** The tokens of WeChat gateways; whether a gateway takes them, the running bridge knows. */
export const agpTokens: Examination = async ({ config }) =>
  config.agp.map((gateway) => {
    const [trouble] = agpToken(gateway);
    return trouble ? toCheck(trouble) : ok('agp', `There is a token for ${gateway.url}`);
  });
