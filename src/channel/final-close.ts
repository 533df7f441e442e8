import { CloseCode } from '../protocol/wire/wire.ts';

/** Close codes after which another attempt cannot succeed, in words. */
export function finalClose(code: number): string | undefined {
  switch (code) {
    case CloseCode.badToken:
      return 'The synthesis bridge refused this session: its token is not valid (any more). Restart the session with `synthesis restart`.';
    case CloseCode.unknownSession:
      return 'The synthesis bridge does not know this session (any more). Start it again with `synthesis up` or from its chat.';
    case CloseCode.superseded:
      return 'Another Claude Code process took over this session, so this one is no longer connected to the chat. Close one of the two.';
    default:
      return undefined;
  }
}
