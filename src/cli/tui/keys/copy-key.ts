// One key copies what the reader is at.
import { pictureOf } from '../../../domain/question/picture.ts';
import { frameAt, shownFrames } from '../frames/frame-list.ts';
import { frameName } from '../frames/frame-words.ts';
import { layout } from '../layout.ts';
import { and, type Outcome, only } from '../model/effect.ts';
import type { Model } from '../model/model.ts';
import { chosenView, findAsk } from '../model/rows.ts';
import { transcriptLines, turnAt } from '../model/transcript.ts';
import { findOf, transcriptCells, transcriptRoom, transcriptTop } from '../panes/transcript.ts';
import { chosenAsk } from '../shown.ts';
import type { Binding } from './binding.ts';
import { toast } from './everywhere.ts';

interface Copy {
  /** Begins a sentence. */
  what: string;
  text: string;
}

function frame(model: Model, n: number | undefined): Copy | undefined {
  const row = model.frames.find((each) => each.n === n);
  return row && { what: frameName(row), text: JSON.stringify(row.event, undefined, 2) };
}

/** Of the turn that was found, or else the last one on the screen. */
function message(model: Model): Copy | undefined {
  const view = chosenView(model);
  if (!view) return undefined;
  const { heights, widths } = layout(model);
  const cells = transcriptCells(widths.transcript);
  const room = transcriptRoom(model, heights.transcript);
  const count = transcriptLines(view, cells).length;
  const last = transcriptTop(count, room, model.ui.transcriptTop) + room - 1;
  const turn = turnAt(view, cells, findOf(model)?.line ?? last);
  if (!turn) return undefined;
  return turn.answer.text.length > 0
    ? { what: "Claude's answer", text: turn.answer.text.slice(0) }
    : { what: 'The message', text: turn.text };
}

function question(model: Model, code: string): Copy | undefined {
  const ask = findAsk(model, code)?.ask;
  return ask && { what: `What ${code} asks`, text: pictureOf(ask).body };
}

function copied(model: Model): Copy | undefined {
  const { overlay, focus, session } = model.ui;
  switch (overlay?.name) {
    case 'frame':
      return frame(model, overlay.n);
    case 'ask':
    case 'diff':
      return question(model, overlay.code);
    case 'help':
    case 'kinds':
      return undefined;
    case 'info':
      return { what: 'The key of the session', text: overlay.session };
    case undefined:
      break;
  }
  switch (focus) {
    case 'frames': {
      const frames = shownFrames(model);
      return frame(model, frames[frameAt(frames, model.ui.frames.at)]?.n);
    }
    case 'transcript':
      return message(model);
    case 'asks': {
      const code = chosenAsk(model)?.ask.code;
      return code === undefined ? undefined : { what: 'The code', text: code };
    }
    case 'sessions':
      return session === undefined ? undefined : { what: 'The key of the session', text: session };
  }
}

function copy(model: Model): Outcome {
  const found = copied(model);
  if (!found || found.text === '') return only(toast(model, 'There is nothing to copy.'));
  return and(model, { type: 'copy', ...found });
}

export const copyKey: Binding = {
  keys: ['c'],
  show: 'c',
  words: 'copy it: answer, frame, question, code, key',
  run: copy,
};
