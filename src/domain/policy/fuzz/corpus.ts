// Everything that rules are tried with. It is published with the package, and loaded by what tries them alone.
import commands from './corpus/commands.json' with { type: 'json' };
import fields from './corpus/fields.json' with { type: 'json' };
import hosts from './corpus/hosts.json' with { type: 'json' };
import paths from './corpus/paths.json' with { type: 'json' };
import type { Family } from './family.ts';

export const corpus: readonly Family[] = [commands, paths, hosts, fields].flat() as Family[];
