import { type Model, withUi } from '../model/model.ts';

/** Other lines stand in a screen of another size: what was read has to be read there again. */
export function rewound(model: Model): Model {
  const { overlay } = model.ui;
  if (overlay?.name === 'ask') return withUi(model, { overlay: { ...overlay, top: 0, read: 0 } });
  if (overlay?.name !== 'diff') return model;
  return withUi(model, { overlay: { ...overlay, top: 0, back: { ...overlay.back, top: 0, read: 0 } } });
}
