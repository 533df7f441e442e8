/**
 * What a terminal says by itself, not its user: mouse and focus reports, and answers to queries. The bridge has answered
 * Claude's queries already, and the screen that is drawn here is not where a mouse would point.
 */
const reports = new RegExp(
  [
    '\\u001b\\[[IO]', // focus
    '\\u001b\\[<[\\d;]*[Mm]', // mouse, SGR
    '\\u001b\\[M[\\s\\S]{3}', // mouse, X10
    '\\u001b\\[\\d+;\\d+;\\d+M', // mouse, urxvt
    '\\u001b\\[[?>=]?[\\d;]*c', // device attributes
    '\\u001b\\[\\?[\\d;]*(?:n|R|u|\\$y)', // status, cursor, keyboard protocol, modes
    '\\u001b\\[\\d+;\\d+R', // cursor position
    '\\u001b\\[[\\d;]*t', // window size
    '\\u001b[\\]P_^X][^\\u0007\\u001b]*(?:\\u0007|\\u001b\\\\)', // OSC and DCS answers
  ].join('|'),
  'g',
);

/** @returns the keys in what a terminal sent. */
export const keysOnly = (typed: string): string => typed.replace(reports, '');
