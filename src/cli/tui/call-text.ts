// How the operator's terminal is asked to call them. Foreign words cannot leave the sequence that they stand in.
import { type Notice, oneLine } from '../../domain/words/notice.ts';
import type { NoticeStyle } from '../../protocol/settings/config.ts';
import { safeLine } from '../output/safe.ts';

const esc = '\u001b';
const bell = '\u0007';

/** Longest words of one notification, characters. */
const longest = 200;

/** No sign of control is left by then; `;` separates the parts of a sequence. */
const clean = (text: string): string =>
  safeLine(oneLine(text)).replaceAll(';', ',').slice(0, longest).toWellFormed();

/**
 * @param inTmux it hands on only what is wrapped, and only with its option `allow-passthrough`
 * @returns '' for nothing
 */
export function callText(notice: Notice, style: NoticeStyle, inTmux: boolean): string {
  const title = clean(notice.title);
  const body = clean(`${notice.session}: ${notice.text}`);
  switch (style) {
    case 'off':
      return '';
    case 'bell':
      // It has no words: it is for what waits alone.
      return notice.event === 'asks' ? bell : '';
    case 'osc9':
      return passed(`${esc}]9;${title}: ${body}${bell}`, inTmux);
    case 'osc777':
      return passed(`${esc}]777;notify;${title};${body}${bell}`, inTmux);
  }
}

/** Through tmux to the terminal behind it. */
export const passed = (sequence: string, inTmux: boolean): string =>
  inTmux ? `${esc}Ptmux;${sequence.replaceAll(esc, esc + esc)}${esc}\\` : sequence;
