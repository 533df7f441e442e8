const kilo = 1024;

/** `12 kB`, `3.4 MB`: at least 1 kB, as a file takes that on a disk. */
export function sizeText(bytes: number): string {
  const megabytes = bytes / kilo / kilo;
  return megabytes < 1 ? `${Math.max(1, Math.round(bytes / kilo))} kB` : `${megabytes.toFixed(1)} MB`;
}
