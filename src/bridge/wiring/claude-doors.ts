// The doors that Claude Code itself uses: hooks, and the socket of its channel server.
import type { Socket } from 'node:net';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { WebSocket } from 'ws';
import type { Log } from '../../base/log.ts';
import { bearerOf } from '../../base/secret.ts';
import type { ClaudeAgent } from '../claude/claude-agent.ts';
import type { HookPass } from '../claude/hook-admission.ts';

/**
 * Largest hook, bytes. Claude Code takes a refusal for "no decision" and goes on (measured on 2.1.329), so whatever is
 * refused is lost: a question would stay in its terminal alone. A hook of Edit or Write carries the file before and
 * after, one of Read a picture, so this is far above what a message may be.
 */
const hookBytes = 8 * 1024 * 1024;

export interface ClaudeDoorsOptions {
  log: Log;
  /** Undefined until the port is known: Claude Code is told where to post. */
  agent(): Pick<ClaudeAgent, 'admitHook' | 'channels'> | undefined;
  /** This connection showed the token of a Claude Code. */
  proved(socket: Socket): void;
}

/** Takes an upgraded `/bridge`. */
export const channelDoor =
  (agent: ClaudeDoorsOptions['agent']) =>
  (socket: WebSocket, proved: () => void): void => {
    const channels = agent()?.channels;
    if (channels) channels.accept(socket, proved);
    else socket.terminate();
  };

export function hookRoutes(app: FastifyInstance, { log, agent, proved }: ClaudeDoorsOptions): void {
  const passes = new WeakMap<FastifyRequest, HookPass>();
  app.removeContentTypeParser('text/plain');
  app.addHook('onRequest', async (request, reply) => {
    const judged = agent()?.admitHook(bearerOf(request.headers.authorization));
    if (!judged) return reply.code(503).send({});
    if (judged.kind === 'stranger') return reply.code(401).send({});
    proved(request.raw.socket);
    if (judged.kind === 'crowded') return reply.code(429).header('retry-after', '1').send({});
    passes.set(request, judged.pass);
    reply.raw.once('close', () => judged.pass.leave());
    return undefined;
  });
  app.setErrorHandler((error: Error & { statusCode?: number }, request, reply) => {
    log.warn('a hook could not be read; Claude Code goes on without an answer', { path: request.url, error });
    return reply.code(error.statusCode ?? 500).send({});
  });
  app.post<{ Params: { event: string } }>('/:event', { bodyLimit: hookBytes }, async (request, reply) => {
    const gone = new AbortController();
    reply.raw.on('close', () => gone.abort());
    return passes.get(request)?.handle(request.params.event, request.body, {
      signal: gone.signal,
      onWritten: (listener) => void reply.raw.once('finish', listener),
    });
  });
}
