// What systemd itself says of the unit, where it is there.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { unitText } from '../../../src/cli/commands/service/unit.ts';

const hasAnalyze = spawnSync('systemd-analyze', ['--version']).status === 0;

test.skipIf(!hasAnalyze)('systemd finds nothing wrong with the unit, whatever folders are called', () => {
  const dir = mkdtempSync(join(tmpdir(), 'unit-'));
  try {
    const odd = join(dir, 'a "b" 50% $HOME é');
    mkdirSync(odd);
    const unit = join(dir, 'synthesis.service');
    const settings = {
      version: '1.2.3',
      node: process.execPath,
      program: join(odd, 'synthesis'),
      claude: join(odd, 'claude'),
      home: odd,
      cwd: odd,
      stateDir: join(odd, 'state'),
      env: { SYNTHESIS_HOME: odd },
    };
    const verify = (text: string) => {
      writeFileSync(unit, text);
      const env = { PATH: process.env.PATH, HOME: dir, XDG_RUNTIME_DIR: dir };
      const args = ['verify', '--user', '--man=no', unit];
      const { status, stderr } = spawnSync('systemd-analyze', args, { env, encoding: 'utf8' });
      return { status, words: stderr.split('\n').filter((line) => line.includes('synthesis.service')) };
    };
    expect(verify(unitText(settings))).toEqual({ status: 0, words: [] });
    // It would say so.
    expect(verify(unitText(settings).replace('KillMode=mixed', 'KillMode=none-such')).words).not.toEqual([]);
  } finally {
    rmSync(dir, { recursive: true });
  }
});
