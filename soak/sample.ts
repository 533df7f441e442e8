/** What the bridge holds on to at one moment, when nobody is connected. */
export interface Sample {
  /** Bytes. */
  rss: number;
  heap: number;
  /** Connections. */
  sockets: number;
  timers: number;
  /** Open file descriptors. */
  files: number;
  /** Of the journal: they are meant to grow. */
  rows: number;
}

type Kind = Exclude<keyof Sample, 'rows'>;

/** What may come on top while nothing grows: a share of what was there, and so much more. */
const slack: Record<Kind, { share: number; more: number }> = {
  rss: { share: 0.15, more: 24 * 2 ** 20 },
  heap: { share: 0.1, more: 4 * 2 ** 20 },
  sockets: { share: 0, more: 0 },
  timers: { share: 0, more: 3 },
  files: { share: 0, more: 2 },
};

/** What has grown between two samples, in words. */
export function grown(before: Sample, after: Sample): string[] {
  return (Object.keys(slack) as Kind[]).flatMap((kind) => {
    const { share, more } = slack[kind];
    const most = before[kind] * (1 + share) + more;
    return after[kind] > most
      ? [`${kind} grew from ${before[kind]} to ${after[kind]}, at most ${Math.round(most)} is flat`]
      : [];
  });
}
