import { existsSync } from 'node:fs';
import { tokenSource } from '../../base/files/token-source.ts';
import { failed } from '../../domain/views/check.ts';
import type { AgpGateway, Config } from '../../protocol/settings/config.ts';
import { type Finding, later } from './finding.ts';

/** Whether the files that tokens are read from hold one; whether it is taken, only a connection tells. */
export const tokenFindings = ({ agp, openclaw }: Pick<Config, 'agp' | 'openclaw'>): Finding[] => [
  ...agp.flatMap(agpToken),
  ...(openclaw.tokenFile === undefined || openclaw.gatewayUrl === undefined
    ? []
    : unread('openclaw-gateway', openclaw.gatewayUrl, openclaw, openClawRemedy)),
];

export const agpToken = (gateway: AgpGateway): Finding[] =>
  unread('agp', gateway.url, gateway, 'Correct `tokenFile` in its entry under `agp`.');

export const openClawRemedy = 'Correct `openclaw.tokenFile`, or the file.';

type Source = Parameters<typeof tokenSource>[0];

/** It is read again for each attempt to connect. */
function unread(name: string, url: string, source: Source, remedy: string): Finding[] {
  const read = tokenSource(source)();
  if (read.ok) return [];
  const isMissing = source.tokenFile !== undefined && !existsSync(source.tokenFile);
  return [later(failed(name, `${url}: ${read.words}`, remedy), isMissing)];
}
