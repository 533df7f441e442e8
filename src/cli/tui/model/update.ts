// One thing that happened → the next model, and what is to be done. Pure: the time comes along.
import { never } from '../../../base/never.ts';
import type { BridgeNews } from '../bridge/bridge-port.ts';
import type { AskedProof } from '../bridge/screen-proofs.ts';
import type { Diffed } from '../diff/diffed.ts';
import { runBinding } from '../keys/binding.ts';
import { copyKey } from '../keys/copy-key.ts';
import { acrossPanes, everywhere, toast } from '../keys/everywhere.ts';
import { helpKey } from '../keys/help-groups.ts';
import { overlayKeys } from '../keys/overlay-keys.ts';
import { paneKeys } from '../keys/pane-keys.ts';
import { panicKeys } from '../keys/panic-keys.ts';
import { promptKey, promptPaste } from '../keys/prompt-keys.ts';
import { askProof, proofDone } from '../keys/proof-keys.ts';
import { rewound } from '../keys/rewound.ts';
import { confirmed, sessionKeys } from '../keys/session-keys.ts';
import { type Call, type Outcome, only } from './effect.ts';
import { fold } from './fold.ts';
import { type Model, type Size, withUi } from './model.ts';
import { waitingAsks } from './rows.ts';

export type Message =
  | { type: 'news'; news: BridgeNews }
  | { type: 'key'; name: string; text: string }
  | { type: 'paste'; text: string }
  | { type: 'resize'; size: Size }
  /** Epoch ms. */
  | { type: 'tick'; now: number }
  | { type: 'done'; call: Call }
  | { type: 'failed'; call: Call; message: string; suggestion: string }
  | { type: 'proof-asked'; proof: AskedProof }
  | { type: 'proof-done'; id: number }
  | { type: 'compared'; code: string; diffed: Diffed }
  | { type: 'said'; text: string; tone: 'good' | 'bad' | 'plain' };

export function update(model: Model, message: Message): Outcome {
  switch (message.type) {
    case 'news':
      return only(settled(fold(model, message.news)));
    case 'key':
      return press(model, message.name, message.text);
    case 'paste':
      return only(model.ui.prompt ? promptPaste(model, model.ui.prompt, message.text) : model);
    case 'resize':
      return only({ ...rewound(model), size: message.size });
    case 'tick':
      return only(tick(model, message.now));
    case 'done':
      return only(toast(sent(model, message.call), message.call.done, 'good'));
    case 'failed':
      return only(toast(model, `${message.message} ${message.suggestion}`, 'bad'));
    case 'proof-asked':
      return only(askProof(model, message.proof));
    case 'proof-done':
      return only(proofDone(model, message.id));
    case 'compared':
      return only({ ...model, diffs: new Map([[message.code, message.diffed]]) });
    case 'said':
      return only(toast(model, message.text, message.tone));
    default:
      return never(message);
  }
}

function press(pressed: Model, key: string, text: string): Outcome {
  const model = key === 'ctrl+y' ? pressed : disarmed(pressed);
  const { prompt, confirm, overlay, focus } = model.ui;
  if (prompt) return promptKey(model, prompt, key, text);
  if (confirm) return confirmed(model, key);
  const tables = overlay
    ? [
        overlayKeys[overlay.name],
        everywhere,
        panicKeys,
        [helpKey, copyKey],
        ...(overlay.name === 'info' ? [sessionKeys] : []),
      ]
    : [paneKeys[focus], sessionKeys, acrossPanes, everywhere, panicKeys, [helpKey, copyKey]];
  for (const table of tables) {
    const outcome = runBinding(table, model, key);
    if (outcome) return outcome;
  }
  return only(model);
}

/** Any other key than the one it asks for means no, and does what it always does. */
function disarmed(model: Model): Model {
  const { overlay } = model.ui;
  if (overlay?.name !== 'ask' || overlay.armed === undefined) return model;
  return withUi(model, { overlay: { ...overlay, armed: undefined } });
}

/** The pane of the questions goes with the last of them; whoever was in it is back at the sessions. */
function settled(model: Model): Model {
  if (model.ui.focus !== 'asks' || waitingAsks(model).length > 0) return model;
  return withUi(model, { focus: 'sessions' });
}

function tick(model: Model, now: number): Model {
  const { toast: shown } = model.ui;
  const next = { ...model, now };
  return shown && shown.until <= now ? withUi(next, { toast: undefined }) : next;
}

/** A message that the bridge has stored is no draft any more, unless it was changed meanwhile. */
function sent(model: Model, call: Call): Model {
  if (call.method !== 'session.send') return model;
  const { session, text } = call.params;
  const draft = model.ui.drafts.get(session);
  if (draft?.before !== text || draft.after !== '') return model;
  const drafts = new Map(model.ui.drafts);
  drafts.delete(session);
  return withUi(model, { drafts });
}
