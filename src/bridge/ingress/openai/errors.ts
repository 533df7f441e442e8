// Refusals of the /v1 door, in the shape OpenAI clients know. Trouble of Claude Code never comes this way: it is
// told as assistant text (domain/words/problem-text.ts), because OpenClaw repeats a request up to 8 times after a 5xx.

import type { Caller } from '../../../domain/caller/caller.ts';
import type { TokenGrant, TokenScope } from '../../../protocol/tokens.ts';
import { limitWords } from './limit-words.ts';

/** An HTTP answer that is not a completion. */
export interface HttpFault {
  /** HTTP status. */
  status: 400 | 401 | 403 | 404 | 405 | 413 | 415 | 421 | 422 | 429 | 503;
  /** Extra response headers, lower case. */
  headers: Record<string, string>;
  body: { error: { message: string; type: string; param: string | null; code: string } };
}

/** What the door's parsers return: the value, or the refusal to send back. */
export type Read<T> = { ok: true; value: T } | { ok: false; fault: HttpFault };

export const read = <T>(value: T): Read<T> => ({ ok: true, value });
export const refuse = (fault: HttpFault): { ok: false; fault: HttpFault } => ({ ok: false, fault });

interface FaultOptions {
  param?: string;
  type?: string;
  headers?: Record<string, string>;
}

function fault(
  status: HttpFault['status'],
  code: string,
  message: string,
  options: FaultOptions = {},
): HttpFault {
  const { param, type = 'invalid_request_error', headers = {} } = options;
  return { status, headers, body: { error: { message, type, param: param ?? null, code } } };
}

/** The body is not JSON, or not a JSON object. */
export const invalidJson = (detail = 'The body is not valid JSON.'): HttpFault =>
  fault(400, 'invalid_json', `${detail} Nothing was started; send a JSON object.`);

/** A field is missing or wrong. `param` is its path, e.g. `messages.2.content`. */
export const invalidRequest = (message: string, param?: string): HttpFault =>
  fault(400, 'invalid_request', `${message} Nothing was started.`, { param });

/** Where a client may go whose response cannot be continued. */
const wholeInput = 'send the whole input without previous_response_id';

/** `previous_response_id` leads nowhere. OpenAI answers this with 400, and clients go by the code. @param why a sentence */
export const previousNotFound = (id: string, why: string): HttpFault =>
  fault(
    400,
    'previous_response_not_found',
    `Previous response with id ${JSON.stringify(id)} not found. ${why} Nothing was started; ${wholeInput}.`,
    { param: 'previous_response_id' },
  );

/** @param newest id of the response that can be continued, if one can. */
export const previousSuperseded = (id: string, newest: string | undefined): HttpFault =>
  fault(
    400,
    'previous_response_superseded',
    `The conversation went on after response ${JSON.stringify(id)}, and Claude Code cannot go back. ` +
      `Nothing was started; ${newest === undefined ? '' : `continue ${newest}, or `}${wholeInput}.`,
    { param: 'previous_response_id' },
  );

/** The header names a conversation that the response does not belong to. */
export const previousElsewhere = (id: string): HttpFault =>
  fault(
    400,
    'previous_response_elsewhere',
    `Response ${JSON.stringify(id)} belongs to another conversation than the one that this request names. ` +
      'Nothing was started; leave out one of the two names.',
    { param: 'previous_response_id' },
  );

/** @param why a sentence */
export const responseNotFound = (id: string, why: string): HttpFault =>
  fault(404, 'response_not_found', `Response with id ${JSON.stringify(id)} not found. ${why}`, {
    param: 'response_id',
  });

/** Only what still goes on can be cancelled. */
export const notCancellable = (id: string): HttpFault =>
  fault(400, 'response_over', `Response ${JSON.stringify(id)} is over: there is nothing to cancel.`, {
    param: 'response_id',
  });

/** `model` names none of ours. Names those that exist. */
export function modelNotFound(model: string, models: readonly string[]): HttpFault {
  const known = models.length > 0 ? `Models here: ${models.join(', ')}.` : 'No model is configured.';
  return fault(404, 'model_not_found', `The model ${JSON.stringify(model)} does not exist. ${known}`, {
    param: 'model',
  });
}

/** OpenClaw disables the provider's key for about a minute, for every session, after one 401 (measured on 2026.9.6). */
export const unauthorized = (given: boolean): HttpFault =>
  fault(
    401,
    given ? 'invalid_api_key' : 'missing_api_key',
    `${given ? 'The bearer token is not one of this bridge, or was revoked.' : 'No bearer token was sent.'} ` +
      'Send "Authorization: Bearer <token>"; `synthesis up --json` names the file that holds the bridge\'s own, ' +
      'and `synthesis token new` makes another.',
    { type: 'authentication_error', headers: given ? refusedToken : { 'www-authenticate': 'Bearer' } },
  );

/** Whoever held a connection open with a token that holds no more does not keep it. */
const refusedToken = { 'www-authenticate': 'Bearer error="invalid_token"', connection: 'close' };

/** @param at since when, epoch ms */
export const tokenExpired = (token: TokenGrant, at: number): HttpFault =>
  fault(
    401,
    'token_expired',
    `The token ${tokenName(token)} expired at ${new Date(at).toISOString()}. Nothing was started; ` +
      `\`synthesis token rotate ${token.id}\` gives it a new secret, \`synthesis token new\` makes another.`,
    { type: 'authentication_error', headers: refusedToken },
  );

/** @param needed of which one is enough */
export const scopeMissing = (token: TokenGrant, needed: readonly TokenScope[]): HttpFault =>
  fault(
    403,
    'insufficient_scope',
    `The token ${tokenName(token)} has the scope ${token.scopes.join(' and ') || 'of nothing'}, and this needs ` +
      `${needed.join(' or ')}. Nothing was started; make one with \`synthesis token new --scope ${needed[0]}\`.`,
    {
      type: 'permission_error',
      headers: { 'www-authenticate': `Bearer error="insufficient_scope", scope="${needed[0]}"` },
    },
  );

/** The same for what is of another conversation and for what is of none, or a token could find out which there are. */
export const sessionOutside = (limit: string): HttpFault =>
  fault(
    403,
    'session_not_allowed',
    `${limitWords(limit)} This request is of another one, or of none. Nothing was started; name the conversation ` +
      'with the header x-synthesis-session, or use another token.',
    { type: 'permission_error' },
  );

const tokenName = ({ id, name }: TokenGrant): string =>
  name === undefined ? id : `${JSON.stringify(name)} (${id})`;

/** The token proves the hub; Claude's shell can read it, and would be taken for a chat. */
export const notForClaude = ({ why, from }: Pick<Caller, 'why' | 'from'>): HttpFault =>
  fault(
    403,
    'caller_not_allowed',
    `The bridge takes this for something that Claude Code has started (${why}; ${from}), which may not write as a chat. ` +
      'Nothing was started. Run the client outside of Claude Code.',
    { type: 'permission_error' },
  );

/** @param limit in bytes. */
export const bodyTooLarge = (limit: number): HttpFault =>
  fault(
    413,
    'body_too_large',
    `The body is larger than ${limit} bytes. Nothing was started; send less history or smaller images.`,
  );

export const wrongContentType = (given: string | undefined): HttpFault =>
  fault(
    415,
    'unsupported_media_type',
    `The content type is ${given === undefined ? 'missing' : JSON.stringify(given)}; send application/json.`,
  );

/** A browser page asked. No page has business here. */
export const originRefused = (): HttpFault =>
  fault(403, 'origin_refused', 'Requests from web pages are refused: this port serves local programs only.', {
    type: 'permission_error',
  });

/** The Host header names another machine: DNS rebinding, or a proxy in front. */
export const hostRefused = (): HttpFault =>
  fault(421, 'host_refused', 'The Host header does not name this machine. Use 127.0.0.1 or localhost.', {
    type: 'permission_error',
  });

/** @param served such as `GET /v1/models` */
export const notFound = (method: string, path: string, served: readonly string[]): HttpFault =>
  fault(404, 'not_found', `${method} ${path} is not served here. These are: ${served.join(', ')}.`);

export const methodNotAllowed = (allowed: string): HttpFault =>
  fault(405, 'method_not_allowed', `This path takes ${allowed} only.`, { headers: { allow: allowed } });

/** What came with the request was not kept, and nothing of it happens later. */
export const notStored = ({ keeper }: { keeper: 'disk' | 'copies' }): HttpFault =>
  keeper === 'disk' ? diskFull() : notCopied();

const notCopied = (): HttpFault =>
  fault(
    429,
    'not_copied',
    'The message was not taken: this conversation is kept on the nats-servers of a cluster, too, and these take nothing now. Send it again in a minute; nothing else was lost.',
    { type: 'server_error', headers: { 'retry-after': '10' } },
  );

const diskFull = (): HttpFault =>
  fault(
    503,
    'disk_full',
    'The disk of the bridge is full, and the message was not taken. Send it again when there is room; nothing else was lost.',
    { type: 'server_error', headers: { 'retry-after': '30' } },
  );

/** Whether it was stored nobody can tell: the sync failed, and what the disk did is unknown. */
export const diskFailed = (): HttpFault =>
  fault(
    503,
    'disk_failed',
    'The disk of the bridge failed while this was stored, and the bridge stops. It may be on disk all the same, and ' +
      'be handed to Claude at the next start: look at the conversation before you send it again.',
    { type: 'server_error' },
  );

/** A utility call got no answer. Not as text, which a hub would take for the answer, and no 5xx, which it would repeat. */
export const unanswered = (why: string): HttpFault =>
  fault(422, 'unanswered', `${why} No conversation is concerned.`, { type: 'server_error' });

/**
 * The bridge starts, drains or has no room for one more reader. The only deliberate 5xx: repeating the request is
 * exactly what the client should do.
 * @param retryAfterSeconds whole seconds, at least 1.
 */
export const tooBusy = (retryAfterSeconds: number, why = 'The bridge has no room right now.'): HttpFault =>
  fault(503, 'busy', `${why} Nothing was started; try again in ${retryAfterSeconds} s.`, {
    type: 'server_error',
    headers: { 'retry-after': String(retryAfterSeconds) },
  });
