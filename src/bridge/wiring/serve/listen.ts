import { BridgeStartError } from '../../bridge-start-error.ts';
import type { HttpServer } from '../../http/http-server.ts';

/** @returns the port, also where 0 asked for any @throws BridgeStartError when it is taken or forbidden */
export async function listen(http: HttpServer, port: number): Promise<number> {
  try {
    return await http.listen(port);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'EADDRINUSE' && code !== 'EACCES') throw error;
    const forbidden = code === 'EACCES';
    throw new BridgeStartError(
      forbidden ? 'port_forbidden' : 'port_in_use',
      forbidden ? `Port ${port} may not be used by this user.` : `Port ${port} on 127.0.0.1 is in use.`,
      'Is another bridge running (`synthesis ps`)? Otherwise choose one with --port; nothing was started.',
      error,
    );
  }
}
