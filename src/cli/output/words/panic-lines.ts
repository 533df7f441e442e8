// What `panic` says of what it did.
import type { PanicResult } from '../../../domain/views/control.ts';
import { panicWords, resumeHint } from '../../../domain/views/words/panic-words.ts';
import { safeLine } from '../safe.ts';

export type PanicDone = PanicResult & {
  /** False: it holds for the next start. */
  running: boolean;
};

export function panicLines(result: PanicDone): string[] {
  const { already, running, kept, interrupted, denied, dropped, waiting } = result;
  // A bridge of an older release does not say these.
  const { ended = [], alive = [], unseen = [] } = result as Partial<PanicDone>;
  const counts = [
    counted(interrupted, 'answer is', 'answers are', 'being interrupted'),
    counted(denied, 'question was', 'questions were', 'denied'),
    counted(dropped, 'tool call was', 'tool calls were', 'dropped'),
    counted(waiting, 'message waits', 'messages wait', ''),
  ].filter((each) => each !== '');
  return [
    already ? `${panicWords(result)} Nothing has gone on since.` : 'Everything is stopped.',
    ...(running ? [] : ['No bridge is running; the next `synthesis up` starts with everything stopped.']),
    ...(counts.length > 0 ? [`${counts.join(', ')}.`] : []),
    ...[endedLine(ended)].filter(Boolean),
    ...aliveLines(alive),
    ...(kept
      ? []
      : [
          'The disk refused to keep it: a restart of the bridge would let work go on. Make room, and run `synthesis panic` again.',
        ]),
    ...unseen.map(safeLine),
    `New messages are refused in words. ${resumeHint}`,
  ];
}

/** Sessions whose processes are named. */
const maxNamed = 10;

/** @returns '' when nothing was */
export function endedLine(ended: PanicResult['ended']): string {
  if (ended.length === 0) return '';
  const processes = ended.reduce((sum, each) => sum + each.processes, 0);
  const named = ended.slice(0, maxNamed).map(({ session, commands }) => {
    const where = session === null ? '' : ` in ${session}`;
    return `${commands.slice(0, 5).join(', ')}${commands.length > 5 ? ', …' : ''}${where}`;
  });
  const more = ended.length > maxNamed ? ', and more' : '';
  return safeLine(
    `${counted(processes, 'process was', 'processes were', 'ended')}: ${named.join('; ')}${more}.`,
  );
}

export const aliveLines = (alive: PanicResult['alive']): string[] =>
  alive.length === 0
    ? []
    : [
        safeLine(
          `Not ended: ${alive.join(', ')}. End what is another user's with \`sudo kill -9 <pid>\`, and run \`synthesis panic\` again: it ends what is there by then.`,
        ),
      ];

/** Returns how many; '' for none. */
export const counted = (count: number, one: string, more: string, what: string): string =>
  count === 0 ? '' : `${count} ${count === 1 ? one : more} ${what}`.trim();
