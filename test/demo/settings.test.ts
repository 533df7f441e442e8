import { expect, test } from 'vitest';
import { interpolate } from '../../src/demo/claude/hooks/hook-http.ts';
import { loadMcpConfig, loadSettings } from '../../src/demo/claude/settings/settings.ts';

const hook = (command: string) => ({ hooks: { Stop: [{ hooks: [{ type: 'command', command }] }] } });

/** A variable as settings write it. */
const braced = (name: string) => `\${${name}}`;

test('a second --settings keeps the hooks of the first', () => {
  const loaded = loadSettings([JSON.stringify(hook('a')), JSON.stringify({ ...hook('b'), theme: 'dark' })]);
  if (!loaded.ok) throw new Error(loaded.message);
  const commands = loaded.value.hooks?.Stop?.flatMap(({ hooks }) => hooks).map(
    (each) => each.type === 'command' && each.command,
  );
  expect(commands).toEqual(['a', 'b']);
});

test('settings that cannot be read are named', () => {
  expect(loadSettings(['/no/such/file'])).toEqual({
    ok: false,
    message: 'Error: Settings file not found: /no/such/file',
  });
  expect(loadSettings(['{"hooks": 1}']).ok).toBe(false);
});

test('variables in an MCP configuration are expanded', () => {
  const config = {
    mcpServers: {
      synthesis: { command: braced('BIN'), args: [braced('NONE:-x')], env: { A: braced('BIN') } },
    },
  };
  const loaded = loadMcpConfig([JSON.stringify(config)], { BIN: 'node' });
  if (!loaded.ok) throw new Error(loaded.message);
  expect(loaded.value.get('synthesis')).toMatchObject({ command: 'node', args: ['x'], env: { A: 'node' } });
});

test('an MCP configuration that is missing is refused in the words of Claude Code', () => {
  expect(loadMcpConfig(['/no/such.json'], {})).toEqual({
    ok: false,
    message: 'Error: Invalid MCP configuration: MCP config file not found: /no/such.json',
  });
});

test('a header takes only the variables it may use', () => {
  const env = { TOKEN: 'secret', HOME: '/home/alice' };
  const headers = { authorization: 'Bearer $TOKEN', other: `${braced('TOKEN')}-$HOME-` };
  expect(interpolate(headers, ['TOKEN'], env)).toEqual({ authorization: 'Bearer secret', other: 'secret--' });
});
