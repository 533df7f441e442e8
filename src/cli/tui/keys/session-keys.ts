import { emptyEditor } from '../model/editor.ts';
import { and, type Outcome, only } from '../model/effect.ts';
import { type Confirm, type Deed, type Model, withUi } from '../model/model.ts';
import { chosenView } from '../model/rows.ts';
import type { Binding } from './binding.ts';
import { toast } from './everywhere.ts';
import { houseDeed } from './panic-keys.ts';

const withSession = (run: (model: Model, session: string) => Outcome) => (model: Model) =>
  model.ui.session === undefined
    ? only(toast(model, 'There is no session yet.'))
    : run(model, model.ui.session);

const asked = (deed: Deed) =>
  withSession((model, session) => only(withUi(model, { confirm: { deed, session } })));

/** What is done to the chosen session; works in every pane. */
export const sessionKeys: readonly Binding[] = [
  {
    keys: ['m'],
    show: 'm',
    words: 'write a message',
    run: withSession((model, session) => {
      const editor = model.ui.drafts.get(session) ?? emptyEditor;
      return only(withUi(model, { prompt: { name: 'message', session, editor } }));
    }),
  },
  {
    keys: ['i'],
    show: 'i',
    words: 'everything that is known of it',
    run: withSession((model, session) => only(withUi(model, { overlay: { name: 'info', session, top: 0 } }))),
  },
  {
    keys: ['t'],
    show: 't',
    words: "Claude's own screen, to look at",
    run: withSession((model, session) => {
      const agent = chosenView(model)?.session.agent.name;
      const runs = agent === 'ready' || agent === 'dialog' || agent === 'starting';
      return runs
        ? and(model, { type: 'terminal', session })
        : only(toast(model, 'Its Claude Code does not run; a message (m) or R starts it.'));
    }),
  },
  { keys: ['x'], show: 'x', words: 'interrupt what Claude does (asks first)', run: asked('interrupt') },
  { keys: ['S'], show: 'S', words: 'stop its Claude Code (asks first)', run: asked('stop') },
  { keys: ['R'], show: 'R', words: 'restart its Claude Code (asks first)', run: asked('restart') },
  { keys: ['D'], show: 'D', words: 'remove it, and delete its text (asks first)', run: asked('remove') },
];

export const deedWords: Record<Deed, { ask: string; done: string }> = {
  interrupt: { ask: 'Interrupt what Claude does in', done: 'interrupted' },
  stop: { ask: 'Stop the Claude Code of', done: 'stopping; its conversation is kept' },
  restart: { ask: 'Restart the Claude Code of', done: 'restarted on the same conversation' },
  remove: { ask: 'Remove, and delete all text of', done: 'removed' },
};

/** What is gone then takes a key that no word has in it: `Dynamic` removes nothing. */
export const yesOf = ({ deed }: Confirm): 'y' | 'ctrl+y' => (deed === 'remove' ? 'ctrl+y' : 'y');

/** One key does it; every other does not. */
export function confirmed(model: Model, key: string): Outcome {
  const { confirm } = model.ui;
  const next = withUi(model, { confirm: undefined });
  if (!confirm) return only(next);
  if (key !== yesOf(confirm)) return only(toast(next, 'Nothing was done.'));
  if (!('session' in confirm)) return houseDeed(next, confirm.deed);
  const { deed, session } = confirm;
  return and(next, {
    type: 'call',
    method: `session.${deed}`,
    params: { session },
    done: deedWords[deed].done,
  });
}
