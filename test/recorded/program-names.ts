// The names that Claude Code's own program holds: what it can be told, and what it tells. They are read from its
// minified source at places that say what a name is, so that a word of a sentence is not taken for a setting.
import { membersOf, openBefore } from './members.ts';

/** @param sources the scripts of which the program is made @throws when a kind of names is not found at all */
export function namesIn(sources: readonly string[]): Record<string, string[]> {
  const fields = hookFields(sources);
  const found = {
    'command line flag': matches(sources, flag),
    'environment variable': environmentNames(sources),
    'hook event': eventNames(sources, fields),
    'hook field': fields,
    'part of a setting': partNames(sources),
    setting: settingNames(sources),
  };
  const missing = Object.keys(found).filter((kind) => found[kind as keyof typeof found].length === 0);
  if (missing.length > 0)
    throw new Error(
      `Claude Code's program shows no ${missing.join(', no ')}. It is built differently now: adapt test/recorded/program-names.ts.`,
    );
  return found;
}

/** Milliseconds after which an MCP call goes to the background when no variable says otherwise. */
export function mcpBackgroundMs(sources: readonly string[]): string {
  for (const source of sources) {
    const [, name = ''] = /\("tengu_mcp_auto_background",!0\)\?([\w$]+):0/.exec(source) ?? [];
    const value = new RegExp(`[ ,;]${name.replaceAll('$', '\\$')}=([\\d.e]+)`).exec(source)?.[1];
    if (name && value) return String(Number(value));
  }
  return 'not found';
}

/** As the parser of arguments is told: `--model <model>`, `-c, --continue`. */
const flag =
  /(?:\.option\(|\.requiredOption\(|new [\w$]+\()"((?:-\w+, )?--[a-z][\w-]*(?:, --[\w-]+)?(?: [<[][^"]*[>\]])?)"/g;

/** A table of variables, `{CLAUDE_CODE_A:()=>x,HTTP_PROXY:()=>y}`. */
const table = /\{((?:[A-Za-z_]\w*:\(\)=>[\w$]+,?){5,})\}/g;
const ownVariable = /(?<![\w$])((?:CLAUDE_CODE|DISABLE|ENABLE)_[A-Z0-9_]*[A-Z0-9])(?!\w)/g;

function environmentNames(sources: readonly string[]): string[] {
  const tables = matches(sources, table).filter((each) => each.includes('CLAUDE_CODE_'));
  return sorted([...matches(tables, /([A-Za-z_]\w*):/g), ...matches(sources, ownVariable)]);
}

/** `Stop.background_tasks`, from the schemas of what hooks are given; `(every event).cwd` for what all of them have. */
function hookFields(sources: readonly string[]): string[] {
  const names: string[] = [];
  const common = /\{session_id:[^{}]*?transcript_path:/g;
  for (const source of sources.filter((each) => each.includes('hook_event_name:'))) {
    for (const { index } of source.matchAll(common)) {
      const members = membersOf(source, index);
      if (members.has('agent_id') && !members.has('hook_event_name'))
        names.push(...fieldsOf('(every event)', members));
    }
    for (const { index, 1: event = '' } of source.matchAll(/hook_event_name:[\w$]+\("(\w+)"\)/g)) {
      const members = membersOf(source, openBefore(source, index));
      members.delete('hook_event_name');
      names.push(...fieldsOf(event, members));
    }
  }
  return sorted(names);
}

const fieldsOf = (event: string, members: ReadonlyMap<string, string>) =>
  [...members.keys()].map((field) => `${event}.${field}`);

function eventNames(sources: readonly string[], fields: readonly string[]): string[] {
  const lists = matches(sources, /\[((?:"[A-Z]\w+",?){8,})\]/g).filter((each) =>
    each.includes('"PreToolUse"'),
  );
  const events = [...matches(lists, /"(\w+)"/g), ...fields.map((each) => each.replace(/\..*/, ''))];
  return sorted(events.filter((each) => !each.startsWith('(')));
}

/** What the schema of a settings file says of itself. */
const schemaWords = '"JSON Schema reference for Claude Code settings"';
/** Settings that only some builds have. */
const gated = /\{buildGate:[^{}]*,shape:\(\)=>\((?=\{)/g;

function settingNames(sources: readonly string[]): string[] {
  const source = sources.find((each) => each.includes(schemaWords)) ?? '';
  const open = source.lastIndexOf('{$schema:', source.indexOf(schemaWords));
  if (open < 0) return [];
  const shapes = [open, ...[...source.matchAll(gated)].map(({ index, 0: whole }) => index + whole.length)];
  return sorted(shapes.flatMap((at) => [...membersOf(source, at).keys()]));
}

/** Settings with parts that the bridge depends on, each with a part of it that nothing else has. */
const marks: Readonly<Record<string, string>> = {
  permissions: 'disableBypassPermissionsMode',
  sandbox: 'autoAllowBashIfSandboxed',
  'sandbox.filesystem': 'denyWrite',
  'sandbox.network': 'allowUnixSockets',
};

const partNames = (sources: readonly string[]): string[] =>
  sorted(
    Object.entries(marks).flatMap(([setting, mark]) =>
      sources.flatMap((source) => partsBeside(source, mark).map((part) => `${setting}.${part}`)),
    ),
  );

/** The names beside a mark that is described: elsewhere the same name is a variable. */
function partsBeside(source: string, mark: string): string[] {
  const places = [...source.matchAll(new RegExp(`(?<=[{,])${mark}:`, 'g'))].map(({ index }) => index);
  const objects = places.map((at) => membersOf(source, openBefore(source, at)));
  return objects.filter((each) => each.get(mark)?.includes('.describe(')).flatMap((each) => [...each.keys()]);
}

const matches = (sources: readonly string[], pattern: RegExp): string[] =>
  sorted(sources.flatMap((source) => [...source.matchAll(pattern)].map((match) => match[1] ?? '')));

/** Without repetitions, in the same order on every machine. */
const sorted = (names: Iterable<string>): string[] => [...new Set(names)].sort();
