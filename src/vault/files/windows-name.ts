// Names that Windows takes for a device, or writes to the disk otherwise than they were given.

/** Whatever follows the first dot, `CON` is the console. */
const device = /^(?:con|prn|aux|nul|conin\$|conout\$|com[0-9¹²³]|lpt[0-9¹²³])[ .]*(?:\.|:|$)/i;

export const isDevice = (part: string): boolean => device.test(part);

/** What Windows leaves out of a name without a word: `notes. ` is `notes` there. */
export const hasLostEnd = (part: string): boolean => /[. ]$/.test(part);
