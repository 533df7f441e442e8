import { refusedText } from '../../../domain/state/panic.ts';
import { movingText } from '../../../domain/words/moving-text.ts';
import type { Outcome } from '../../app/dispatcher.ts';
import { showsPreview } from './answer/preview-race.ts';
import type { Case } from './case.ts';
import type { HttpFault } from './errors.ts';
import { type Lost, responseName } from './identity/repeats.ts';

/** What a request is answered with. */
export type Reply =
  | Unnamed
  /** Words of our own; no turn is involved. */
  | { kind: 'words'; text: string }
  /** A Claude of its own answers it; no session is involved. */
  | { kind: 'one_shot' }
  | { kind: 'refused'; fault: HttpFault }
  /** Nothing in it can be answered. */
  | { kind: 'nothing_new' }
  /** The disk takes nothing, and nothing was begun. */
  | { kind: 'not_stored' };

/** @param outcome of a message that was not taken, if it was not */
export function refusalOf(outcome: Outcome): Reply {
  const rejection = outcome.ok ? undefined : outcome.rejection;
  switch (rejection?.code) {
    case 'panic':
      return { kind: 'words', text: refusedText(rejection.since) };
    case 'moving':
      return { kind: 'words', text: movingText(rejection) };
    default:
      return { kind: 'not_stored' };
  }
}

/** The text of the unread turns up to `target`. `seq`: on disk before anything is acknowledged. */
export interface Reading {
  kind: 'read';
  key: string;
  target: string;
  /** Equal for every attempt at the same response. */
  request: string;
  seq: number;
  inputCharacters: number;
  /** A client that hangs up wants Claude to stop: OpenClaw's `/stop`. */
  stops: boolean;
  /** It says itself that an attempt before it failed. */
  repeats: boolean;
  /** Turns that the client shows as unanswered although their answer was sent: they are read once more. */
  lost: Lost;
  /** The client sends one request at a time: whoever else reads is a connection that died. */
  alone: boolean;
  /** The chat may show it while it grows. */
  preview: boolean;
  /** The target is a message that came with this request: unless it is on disk, it was not taken. */
  submitted?: boolean;
  /** Words of our own in front of it. */
  note?: string;
}

/** Before its request has a name: that is a digest of the whole history, and nothing of it goes to the disk. */
export type Unnamed = Omit<Reading, 'request'> & { name(): string };

/** @param seq of what the request changed in the journal; 0 when it changed nothing */
export function readingOf(about: Case, target: string, seq: number): Unnamed {
  const { request, identity, input, fromOpenClaw, lost } = about;
  return {
    kind: 'read',
    key: identity.key,
    target,
    name: () => responseName(request, { fromOpenClaw, input, target }),
    seq,
    inputCharacters: input.texts.reduce((sum, { text }) => sum + text.length, 0),
    stops: fromOpenClaw,
    repeats: about.repeats,
    lost,
    alone: fromOpenClaw,
    preview: fromOpenClaw && showsPreview(identity.openclaw?.channel, request.headers.streaming),
  };
}
