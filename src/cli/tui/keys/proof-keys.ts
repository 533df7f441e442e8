// What proves a decision, in the place where text is typed. Whatever was typed there before is kept as a draft.
import type { AskedProof } from '../bridge/screen-proofs.ts';
import { emptyEditor } from '../model/editor.ts';
import { type Model, withUi } from '../model/model.ts';
import { closePrompt } from './prompt-keys.ts';

export function askProof(model: Model, proof: AskedProof): Model {
  const { prompt } = model.ui;
  const { id, why } = proof;
  return withUi(prompt ? closePrompt(model, prompt) : model, {
    prompt:
      proof.kind === 'code'
        ? { name: 'code', id, editor: emptyEditor, ...(why !== undefined && { why }) }
        : { name: 'key', id, isTouch: proof.isTouch, until: proof.until, editor: emptyEditor },
  });
}

export function proofDone(model: Model, id: number): Model {
  const { prompt } = model.ui;
  const isIt = (prompt?.name === 'code' || prompt?.name === 'key') && prompt.id === id;
  return isIt ? withUi(model, { prompt: undefined }) : model;
}
