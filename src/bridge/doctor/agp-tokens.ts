import { tokenSource } from '../../base/token-source.ts';
import { failed, ok } from '../../domain/views/check.ts';
import type { Examination } from './examination.ts';

/** The tokens of WeChat gateways; whether a gateway takes them, the running bridge knows. */
export const agpTokens: Examination = async ({ config }) =>
  config.agp.map((gateway) => {
    const read = tokenSource(gateway)();
    if (read.ok) return ok('agp', `There is a token for ${gateway.url}`);
    return failed('agp', `${gateway.url}: ${read.words}`, 'Correct `tokenFile` in its entry under `agp`.');
  });
