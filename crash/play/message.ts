// What is said: each message has a mark that stands nowhere else, and says itself what its answer will be.

export interface Message {
  mark: string;
  session: string;
  text: string;
  /** The lines of the whole answer; none when a question comes in between. */
  expects: readonly string[];
  last: boolean;
}

/** Lines of a longer answer. */
const mostLines = 12;

type Random = () => number;

const lines = (mark: string, count: number) =>
  Array.from({ length: count }, (_, at) => `${mark} says ${at + 1}.`);

const said = (mark: string, texts: readonly string[]) => ({
  text: `[[say:${texts.join('|')}]] ${mark}`,
  expects: texts,
});

/** A message of a seeded kind: short, long, slow, or with a question. @param ran see House */
export function newMessage(mark: string, session: string, random: Random, ran?: string): Message {
  const of = { mark, session, last: false };
  const kind = random();
  if (kind < 0.25) return { ...of, ...said(mark, lines(mark, 1)) };
  if (kind < 0.55) return { ...of, ...said(mark, lines(mark, 2 + Math.floor(random() * mostLines))) };
  if (kind < 0.75 || ran === undefined) {
    const [first = '', ...rest] = lines(mark, 4);
    const wait = `[[wait:${Math.floor(random() * 400)}]]`;
    const text = `[[say:${first}]]${wait}[[say:${rest.join('|')}]] ${mark}`;
    return { ...of, text, expects: [first, ...rest] };
  }
  return question(mark, session, ran);
}

export function shortMessage(mark: string, session: string): Message {
  return { mark, session, last: false, ...said(mark, lines(mark, 1)) };
}

export function longMessage(mark: string, session: string): Message {
  return { mark, session, last: false, ...said(mark, lines(mark, mostLines)) };
}

/** Claude is at it for so long that somebody can interrupt it. */
export function slowMessage(mark: string, session: string): Message {
  return { mark, session, last: false, text: `[[wait:3000]] ${mark}`, expects: [] };
}

/** Claude asks before it writes down that it did it. @param ran see House */
export function question(mark: string, session: string, ran: string): Message {
  return { mark, session, last: false, text: `${mark} [[bash:echo ${mark} >> ${ran}]]`, expects: [] };
}

/** As a question, and what is allowed takes longer. */
export function toolMessage(mark: string, session: string, ran: string): Message {
  const text = `${mark} [[bash:sleep 0.3; echo ${mark} >> ${ran}]]`;
  return { mark, session, last: false, text, expects: [] };
}
