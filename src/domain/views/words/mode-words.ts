// What is said of a session's permission mode, in `ps`, on screens and by `doctor`.
import type { SessionRow } from '../session/session-row.ts';

/** Modes in which a person is asked about what rules do not allow. Of any other, nobody can be sure. */
const asking: ReadonlySet<string> = new Set(['plan', 'manual', 'default', 'acceptEdits']);

/** True for `auto`, `bypassPermissions`, `dontAsk`, and for modes of later releases. */
export const asksNobody = (mode: string | null): boolean => mode !== null && !asking.has(mode);

const marked = (mode: string, name: string): string => (asksNobody(mode) ? `${name} !` : name);

/** `, sandboxed`, to stand behind a mode; '' for a session without a sandbox, or with one that does not hold. */
export const sandboxText = ({ sandbox = 'off', health }: SessionRow): string =>
  sandbox === 'off' || isBroken(health) ? '' : ', sandboxed';

/** The same of `contain`. */
export const containText = ({ contain = 'off', health }: SessionRow): string =>
  contain === 'off' || isLoose(health) ? '' : ', contained';

/** `on`, `required`, with what is wrong; undefined where nothing is contained, and from a bridge of an older release. */
export function containWords({ contain = 'off', health }: SessionRow): string | undefined {
  if (contain === 'off') return undefined;
  return isLoose(health) ? `${contain} !, but Claude Code runs as you` : contain;
}

const isLoose = (health: SessionRow['health']): boolean =>
  health.some(({ code }) => code === 'contain_unavailable');

/** `on`, `required`, with what is wrong; undefined for a session without a sandbox, and from a bridge of an older release. */
export function sandboxWords({ sandbox = 'off', health }: SessionRow): string | undefined {
  if (sandbox === 'off') return undefined;
  return isBroken(health) ? `${sandbox} !, but commands run without it` : sandbox;
}

const isBroken = (health: SessionRow['health']): boolean =>
  health.some(({ code }) => code === 'sandbox_unavailable');

/** `manual`, `bypassPermissions !`: marked where nobody is asked. */
export const modeText = (mode: string | null): string => (mode === null ? '-' : marked(mode, mode));

const short: Readonly<Record<string, string>> = { acceptEdits: 'edits', bypassPermissions: 'bypass' };

/** The same in at most 9 cells for every mode that is known. */
export const shortModeText = (mode: string | null): string =>
  mode === null ? '-' : marked(mode, short[mode] ?? mode);

/** Where the mode comes from, for people; '' where there is none. */
export function modeSourceText({ permission_mode_source: source }: SessionRow): string {
  if (source === null) return '';
  if (source === 'kept') return 'kept: the configuration is looser';
  return source.startsWith('switched ') ? `${source} while it runs` : `from ${source}`;
}

/** What the configuration says, and a restart by the operator would take over; undefined when that is nothing. */
export function waitingText({ waits_for_restart: waiting }: SessionRow): string | undefined {
  if (waiting === null) return undefined;
  // A bridge of an older release tells nothing of these two.
  const { permission_mode: mode, cwd, sandbox = null, contain = null } = waiting;
  return [
    ...(mode === null ? [] : [`permission mode ${mode}`]),
    ...(sandbox === null ? [] : [`sandbox ${sandbox}`]),
    ...(contain === null ? [] : [`contain ${contain}`]),
    ...(cwd === null ? [] : [`folder ${cwd}`]),
  ].join(' and ');
}

/** The same of all sessions, each change once, with the command that takes it over. */
export function waitingLines(rows: readonly SessionRow[]): string[] {
  const changes = Map.groupBy(rows, waitingText);
  return [...changes].flatMap(([waiting, [first, ...more]]) => {
    if (waiting === undefined || !first) return [];
    const who = more.length > 0 ? `${first.key} and ${more.length} more` : first.key;
    const ids = [first, ...more].map(({ id }) => id).join(' ');
    return [`${who}: ${waiting} waits for: synthesis restart ${ids}`];
  });
}
