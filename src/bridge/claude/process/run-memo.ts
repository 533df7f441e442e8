// What a bridge leaves with a host for the next one: facts of a run that are not in the journal.

import { BoxLayout } from '../screen/box-layout.ts';

export interface RunMemo {
  /** Its prompt can be filled through an editor. */
  editable: boolean;
  /** Its channel was asked for on the command line. */
  relays: boolean;
  /** Its tools are served through its host. */
  served: boolean;
  /** It asks the policy before each tool. */
  policed: boolean;
  /** Its commands run in a sandbox; absent where that is not known. */
  sandboxed?: boolean;
  /** Stands for its flags and settings: see `launchMark`. */
  mark: string;
  /** Of Claude Code. */
  version?: string;
  /** How its prompt box is drawn, where that had to be learned. */
  layout?: BoxLayout;
  /** Where its transcript is. */
  transcript?: string;
}

export const writeMemo = (memo: RunMemo): Buffer => Buffer.from(JSON.stringify(memo));

/** What is not there is as it is safest. */
export function readMemo(bytes: Uint8Array): RunMemo {
  const { editable, relays, served, policed, sandboxed, mark, version, layout, transcript } = parsed(bytes);
  return {
    editable: editable === true,
    relays: relays === true,
    served: served === true,
    policed: policed === true,
    mark: typeof mark === 'string' ? mark : '',
    ...(typeof sandboxed === 'boolean' && { sandboxed }),
    ...(typeof version === 'string' && { version }),
    ...(isLayout(layout) && { layout }),
    ...(typeof transcript === 'string' && { transcript }),
  };
}

const isLayout = (layout: unknown): layout is BoxLayout => BoxLayout.safeParse(layout).success;

function parsed(bytes: Uint8Array): Partial<Record<keyof RunMemo, unknown>> {
  try {
    return (JSON.parse(Buffer.from(bytes).toString()) as object | null) ?? {};
  } catch {
    return {};
  }
}
