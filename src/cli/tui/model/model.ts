// Everything the screen is drawn from, as one value. `update` makes the next one; `screen` draws it.
import type { SessionView } from '../../../domain/views/session/session-view.ts';
import type { JournalRow } from '../../../protocol/events/events.ts';
import type { Order } from '../../sessions/order.ts';
import type { Diffed } from '../diff/diffed.ts';
import type { FrameKind } from '../frames/frame-kind.ts';
import { type Board, newBoard } from '../nodes/board.ts';
import type { Editor } from './editor.ts';

export interface Size {
  columns: number;
  rows: number;
}

export const panes = ['sessions', 'transcript', 'frames', 'asks'] as const;
export type Pane = (typeof panes)[number];

/** The frame stream: what of it is shown, and where the reader is. */
export interface FramesUi {
  /** `n` of the frame under the cursor; none follows the newest. */
  at?: number;
  /** `n` of the last frame that is shown; none shows what comes. */
  pausedAt?: number;
  hidden: ReadonlySet<FrameKind>;
  /** Only frames of the chosen session. */
  only: boolean;
}

/** Text by pane. */
export type Filters = Readonly<Partial<Record<Pane, string>>>;

/** Keys that belong together, as the help shows them. */
export interface HelpGroup {
  title: string;
  keys: readonly { show: string; words: string }[];
}

/** A question. */
export interface AskOverlay {
  name: 'ask';
  code: string;
  top: number;
  /** Lines that were on the screen from the first on, without a gap: what was jumped over was not read. */
  read: number;
  /** What the next Ctrl-Y allows. */
  armed?: 'once' | 'session' | undefined;
}

/** What lies over the panes. `top` is the first line that is shown. */
export type Overlay =
  | { name: 'help'; groups: readonly HelpGroup[]; top: number }
  | { name: 'frame'; n: number; top: number }
  | AskOverlay
  /** The change that a question is about; `back` is the question, read as far as it was. */
  | { name: 'diff'; code: string; top: number; back: AskOverlay }
  | { name: 'info'; session: string; top: number }
  | { name: 'kinds'; at: number };

/** What is asked about before it is done. */
export type Deed = 'interrupt' | 'stop' | 'restart' | 'remove';

export type Confirm =
  /** `session` is the key of the one it is done to. */
  | { deed: Deed; session: string }
  /** To everything. */
  | { deed: 'panic' | 'resume' };

/** Where typed text goes. */
export type Prompt =
  | { name: 'message'; session: string; editor: Editor }
  | { name: 'reason'; code: string; editor: Editor }
  | { name: 'answer'; code: string; editor: Editor }
  | { name: 'find'; editor: Editor }
  /** A code of the operator's app. `why`: what was wrong with the one before. */
  | { name: 'code'; id: number; why?: string; editor: Editor }
  /** Nothing is typed: the operator's key is waited for. `until`: epoch ms. */
  | { name: 'key'; id: number; isTouch: boolean; until: number; editor: Editor }
  /** Of a pane, and what it was before. It works while it is typed. */
  | { name: 'filter'; pane: Pane; before: string; editor: Editor };

export interface Toast {
  text: string;
  tone: 'good' | 'bad' | 'plain';
  /** Epoch ms. */
  until: number;
}

export interface Ui {
  focus: Pane;
  /** The pane with the focus, or what lies over the panes, has the whole screen. */
  zoom?: true;
  /** Of the sessions. */
  order: Order;
  /** What must be in what a pane shows: every word, anywhere. Without one it shows all. */
  filters: Filters;
  /** Which of the two shares the lower half of a small terminal. */
  main: 'transcript' | 'frames';
  /** Key of the chosen session. */
  session?: string;
  /** First line of the transcript that is shown; none follows its end. */
  transcriptTop?: number;
  /** What is searched for in the transcript of that session; `line` is the one that was found last. */
  find?: { session: string; words: string; line: number };
  /** Code of the chosen question. */
  ask?: string;
  frames: FramesUi;
  overlay?: Overlay;
  confirm?: Confirm;
  prompt?: Prompt;
  /** Unsent messages by session key. */
  drafts: ReadonlyMap<string, Editor>;
  toast?: Toast;
}

/** A row of a journal in the stream. Its `seq` counts in that journal. */
export interface Frame extends JournalRow {
  /** Counts what came to this screen, from whichever journal. */
  n: number;
  /** Of a cluster, the machine that it happened on. */
  node?: string;
}

/** The machines of a cluster. */
interface Nodes {
  /** What the one here is called. */
  here: string;
  /** What is known of each other one, by its name. */
  others: ReadonlyMap<string, Board>;
  /** The servers that lead to the others cannot be reached. */
  cutOff: boolean;
}

export interface Model {
  size: Size;
  /** Wall clock, epoch ms. */
  now: number;
  /** The bridge here. */
  here: Board;
  /** Only in a cluster. */
  nodes?: Nodes;
  /** Of all machines, each once. */
  sessions: ReadonlyMap<string, SessionView>;
  /** In a cluster, the machine that each session lives on. */
  homes: ReadonlyMap<string, string>;
  /** Frames that have come so far. */
  came: number;
  /** Oldest first, up to `keptFrames`. */
  frames: readonly Frame[];
  /** What was compared for questions, by code: the one that was looked at last. */
  diffs: ReadonlyMap<string, Diffed>;
  /** Key of the session that was named on the command line: chosen as soon as it is known. */
  wanted?: string;
  ui: Ui;
}

/** Frames that can be scrolled back to: half an hour of steady work, a few MB. */
export const keptFrames = 5_000;

export function newModel(size: Size, now: number, wanted?: string): Model {
  return {
    size,
    now,
    here: newBoard,
    sessions: new Map(),
    homes: new Map(),
    came: 0,
    frames: [],
    diffs: new Map(),
    ...(wanted !== undefined && { wanted }),
    ui: {
      focus: 'sessions',
      main: 'transcript',
      order: 'attention',
      filters: {},
      frames: { hidden: new Set(), only: false },
      drafts: new Map(),
    },
  };
}

/** Keys go to the pane: nothing lies over it, and no text is typed. */
export const hasFocus = ({ ui }: Model, pane: Pane): boolean =>
  ui.focus === pane && ui.overlay === undefined && ui.prompt === undefined;

/** Changes a part of the user's side; a part given as undefined is taken away. */
export function withUi(model: Model, change: { [K in keyof Ui]?: Ui[K] | undefined }): Model {
  const ui = Object.fromEntries(
    Object.entries({ ...model.ui, ...change }).filter(([, value]) => value !== undefined),
  );
  return { ...model, ui: ui as unknown as Ui };
}

export function withFrames(model: Model, change: { [K in keyof FramesUi]?: FramesUi[K] | undefined }): Model {
  const frames = Object.fromEntries(
    Object.entries({ ...model.ui.frames, ...change }).filter(([, value]) => value !== undefined),
  );
  return withUi(model, { frames: frames as unknown as FramesUi });
}
