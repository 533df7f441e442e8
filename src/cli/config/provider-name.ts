/** The name of an entry of `providers` in the configuration file, however wrong the rest of it is. */
export const providerName = (entry: unknown): string | undefined =>
  typeof entry === 'object' && entry !== null && 'name' in entry && typeof entry.name === 'string'
    ? entry.name
    : undefined;
