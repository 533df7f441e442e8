import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { interpolate } from '../../src/demo/claude/hooks/hook-http.ts';
import { readKnobs } from '../../src/demo/claude/settings/knobs.ts';
import { loadMcpConfig, loadSettings } from '../../src/demo/claude/settings/settings.ts';

const hook = (command: string) => ({ hooks: { Stop: [{ hooks: [{ type: 'command', command }] }] } });

/** A variable as settings write it. */
const braced = (name: string) => `\${${name}}`;

test('the last --settings counts, and the hooks of the user’s own file stay beside its own', () => {
  const home = mkdtempSync(join(tmpdir(), 'sim-home-'));
  const userFile = join(home, 'settings.json');
  writeFileSync(userFile, JSON.stringify(hook('a')));
  const loaded = loadSettings([JSON.stringify(hook('lost')), JSON.stringify(hook('b'))], userFile);
  rmSync(home, { recursive: true });
  if (!loaded.ok) throw new Error(loaded.message);
  const commands = loaded.value.hooks?.Stop?.flatMap(({ hooks }) => hooks).map(
    (each) => each.type === 'command' && each.command,
  );
  expect(commands).toEqual(['a', 'b']);
});

test('an MCP call goes on in the background after two minutes, or never', () => {
  expect(readKnobs({}).mcpBackgroundMs).toBe(120_000);
  expect(readKnobs({ CLAUDE_CODE_MCP_AUTO_BACKGROUND_MS: '0' }).mcpBackgroundMs).toBe(0);
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
