import type { IncomingHttpHeaders } from 'node:http';
import type { JsonTrouble } from '../../../http/read-json.ts';
import { bodyTooLarge, type HttpFault, invalidJson, invalidRequest, wrongContentType } from '../errors.ts';

/** Why a body was not read, as OpenAI's clients know it. @param most bytes that it may have */
export function bodyFault(why: JsonTrouble, headers: IncomingHttpHeaders, most: number): HttpFault {
  switch (why) {
    case 'type':
      return wrongContentType(headers['content-type']);
    case 'long':
      return bodyTooLarge(most);
    case 'empty':
      return invalidJson('The body is empty.');
    case 'invalid':
      return invalidJson();
    case 'cut':
      return invalidRequest('The content length does not fit the body.');
  }
}
