import { isOlder } from '../../../base/text/version-order.ts';

/** The releases of a peer that fit, as versions. */
export interface ProvenRange {
  oldest: string;
  /** The one that the tests against real peers ran. */
  proven: string;
  /** The command that brings `proven` back. */
  back: string;
}

/** What is known of a release that is not older than the range, for the line of a healthy check. */
export function provenWords(version: string, { oldest, proven, back }: ProvenRange): string {
  if (isOlder(version, proven)) return `works from ${oldest} on; proven with ${proven}`;
  if (!isOlder(proven, version)) return 'the release that was proven';
  return `newer than ${proven}, which was proven; nothing to do while it works, else update synthesis or run \`${back}\``;
}
