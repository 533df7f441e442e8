import { fileURLToPath } from 'node:url';

/** The documentation that comes with the program: as far away from the sources as from the built files. */
export const docsFolder = fileURLToPath(new URL('../../docs', import.meta.url));
