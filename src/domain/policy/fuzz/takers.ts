// How tools that are known take a command, a file or an address.
import { fitsWildcard } from '../../../base/text/wildcard.ts';
import type { PolicyRule } from '../../../protocol/settings/policy.ts';
import type { Family } from './family.ts';

interface Taker {
  tool: string;
  input(text: string): object;
}

type Written = Exclude<Family['written'], 'input'>;

const takers: Readonly<Record<Written, readonly Taker[]>> = {
  shell: [
    { tool: 'Bash', input: (command) => ({ command }) },
    { tool: 'exec', input: (command) => ({ command }) },
  ],
  path: [
    { tool: 'Read', input: (file_path) => ({ file_path }) },
    { tool: 'Write', input: (file_path) => ({ file_path, content: 'y' }) },
    { tool: 'Edit', input: (file_path) => ({ file_path, old_string: 'a', new_string: 'b' }) },
    { tool: 'read', input: (path) => ({ path }) },
    { tool: 'write', input: (path) => ({ path, content: 'y' }) },
    { tool: 'edit', input: (path) => ({ path, edits: [{ oldText: 'a', newText: 'b' }] }) },
  ],
  url: [
    { tool: 'WebFetch', input: (url) => ({ url, prompt: 'y' }) },
    { tool: 'web_fetch', input: (url) => ({ url }) },
    { tool: 'browser', input: (targetUrl) => ({ action: 'navigate', targetUrl }) },
  ],
};

/** A tool that only the rule knows, such as a provider's. */
const unknownInput: Readonly<Record<Written, Taker['input']>> = {
  shell: (command) => ({ command }),
  path: (path) => ({ path }),
  url: (url) => ({ url }),
};

const known = new Set(
  Object.values(takers)
    .flat()
    .map(({ tool }) => tool),
);

/** Tools that the rule means and that take such a text, and one that it names and nobody knows. */
export function takersOf({ tool }: PolicyRule, written: Written): Taker[] {
  const named = [tool ?? []].flat().filter((name) => !name.includes('*') && !known.has(name));
  return [
    ...takers[written].filter((each) => meansTool(tool, each.tool)),
    ...(written === 'shell' ? [] : named.map((name) => ({ tool: name, input: unknownInput[written] }))),
  ];
}

/** Whether a rule about these tools is about this one. Those of the hub may be named as Claude Code names them. */
export const meansTool = (wanted: PolicyRule['tool'], tool: string): boolean =>
  wanted === undefined ||
  [wanted].flat().some((name) => fitsWildcard(name, tool) || fitsWildcard(name, `mcp__synthesis__${tool}`));
