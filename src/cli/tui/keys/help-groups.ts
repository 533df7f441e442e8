// Every key, from the same tables that the keys are looked up in.
import { only } from '../model/effect.ts';
import { type HelpGroup, withUi } from '../model/model.ts';
import type { Binding } from './binding.ts';
import { copyKey } from './copy-key.ts';
import { acrossPanes, everywhere } from './everywhere.ts';
import { overlayKeys } from './overlay-keys.ts';
import { listKeys, paneKeys } from './pane-keys.ts';
import { panicKeys } from './panic-keys.ts';
import { promptHelp } from './prompt-keys.ts';
import { sessionKeys } from './session-keys.ts';

export const helpKey: Binding = {
  keys: ['?'],
  show: '?',
  words: 'this help',
  run: (model) => only(withUi(model, { overlay: { name: 'help', groups: helpGroups, top: 0 } })),
};

export const helpGroups: readonly HelpGroup[] = [
  { title: 'Everywhere', keys: [helpKey, ...everywhere, copyKey, ...panicKeys, ...acrossPanes] },
  { title: 'The chosen session', keys: sessionKeys },
  { title: 'Sessions', keys: paneKeys.sessions },
  { title: 'Transcript', keys: paneKeys.transcript },
  { title: 'Frames', keys: paneKeys.frames },
  { title: 'Permissions', keys: paneKeys.asks },
  { title: 'In all lists', keys: listKeys },
  { title: 'A permission request', keys: overlayKeys.ask },
  { title: 'A frame', keys: overlayKeys.frame },
  { title: 'Kinds of frames', keys: overlayKeys.kinds },
  { title: 'While text is typed', keys: promptHelp },
];
