import { putFile, tempFolder } from '../temp-vault.ts';

/**
 * Packages with the names of the real ones, and a model of a few lines.
 *
 * @param embed source of a function from a text to numbers
 * @returns the folder whose `node_modules` has them
 */
export function smallModel(embed: string, folder: string = tempFolder()): string {
  const put = (path: string, text: string) => putFile(folder, `node_modules/@energetic-ai/${path}`, text);
  put(
    'embeddings/index.js',
    `exports.initModel = async (source) => ({ embed: ${embed}, model: { dispose() { globalThis.disposed = true; } }, source: await source() });`,
  );
  put('model-embeddings-en/index.js', 'exports.modelSource = async () => ({});');
  put('model-embeddings-en/package.json', '{"version":"1.2.3"}');
  return folder;
}
