import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Where OpenClaw's gateway is going to be, and the token it is going to have. */
export interface KnownGateway {
  port: number;
  token: string;
}

/**
 * Keeps the token as the bridge's user would.
 * @param directory of the bridge's configuration file
 * @returns what that file says about the gateway
 */
export async function knowGateway(directory: string, gateway: KnownGateway | undefined): Promise<object> {
  if (!gateway) return {};
  const tokenFile = join(directory, 'gateway-token');
  await writeFile(tokenFile, `${gateway.token}\n`, { mode: 0o600 });
  return { openclaw: { gatewayUrl: `http://127.0.0.1:${gateway.port}`, tokenFile } };
}
