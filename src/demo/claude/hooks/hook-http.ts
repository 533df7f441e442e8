import http from 'node:http';
import https from 'node:https';
import type { HookHandler } from '../settings/settings.ts';

type HttpHook = Extract<HookHandler, { type: 'http' }>;

/** One keep-alive client for all hooks, as measured on Claude Code 2.1.329. */
const agents = { http: new http.Agent({ keepAlive: true }), https: new https.Agent({ keepAlive: true }) };

/**
 * Posts a hook and returns the body.
 * Plain `node:http`, because `fetch` gives up on a held answer after five minutes and Claude Code does not.
 * @throws on a refused connection, a status outside 2xx, and when `signal` aborts (which closes the connection).
 */
export async function postHook(
  hook: HttpHook,
  payload: string,
  env: NodeJS.ProcessEnv,
  signal: AbortSignal,
): Promise<string> {
  try {
    return await post(hook, payload, env, signal);
  } catch (error) {
    // The server may close an idle connection in the moment we reuse it.
    if (error instanceof StaleConnection) return post(hook, payload, env, signal);
    throw error;
  }
}

class StaleConnection extends Error {}

function post(hook: HttpHook, payload: string, env: NodeJS.ProcessEnv, signal: AbortSignal): Promise<string> {
  const url = new URL(hook.url);
  const secure = url.protocol === 'https:';
  return new Promise((resolve, reject) => {
    const request = (secure ? https : http).request(
      url,
      {
        method: 'POST',
        agent: secure ? agents.https : agents.http,
        signal,
        headers: {
          'content-type': 'application/json',
          'content-length': Buffer.byteLength(payload),
          ...interpolate(hook.headers ?? {}, hook.allowedEnvVars ?? [], env),
        },
      },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', reject);
        response.on('aborted', () => reject(new Error('connection closed')));
        response.on('end', () => {
          const status = response.statusCode ?? 0;
          if (status >= 200 && status < 300) resolve(Buffer.concat(chunks).toString('utf8'));
          else reject(new Error(`HTTP ${status}`));
        });
      },
    );
    request.on('error', (error: NodeJS.ErrnoException) => {
      reject(request.reusedSocket && error.code === 'ECONNRESET' ? new StaleConnection() : error);
    });
    request.end(payload);
  });
}

/** `$NAME` and `${NAME}` in header values; a variable that is not allowed becomes empty. */
export function interpolate(
  headers: Record<string, string>,
  allowed: string[],
  env: NodeJS.ProcessEnv,
): Record<string, string> {
  const value = (name: string) => (allowed.includes(name) ? (env[name] ?? '') : '');
  return Object.fromEntries(
    Object.entries(headers).map(([key, text]) => [
      key,
      text.replace(/\$\{(\w+)\}|\$(\w+)/g, (_, braced?: string, bare?: string) =>
        value(braced ?? bare ?? ''),
      ),
    ]),
  );
}
