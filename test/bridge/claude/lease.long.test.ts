// What a host is told of its lease, by an agent that starts Claude Code in it or goes on with one.
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { silentLog } from '../../../src/base/log.ts';
import { ClaudeAgent } from '../../../src/bridge/claude/claude-agent.ts';
import type { AgentReport } from '../../../src/domain/commands.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { noRule } from '../../support/rulings.ts';
import { until } from '../../support/until.ts';
import { tempDir } from '../journal/temp-dir.ts';
import { NoHost } from './no-host.ts';
import { Title } from './screen/title.ts';

/** Nothing can be started in it; what is asked of it is written down. */
class ToldHost extends NoHost {
  override start(): never {
    this.kept.push('start');
    return super.start();
  }

  override quit = async () => void this.kept.push('quit');
}

class World {
  readonly host = new ToldHost();
  readonly dir = tempDir();
  readonly reports: AgentReport[] = [];
  readonly agent: ClaudeAgent;
  readonly session = {
    key: 'k',
    claude: '7a2f3c1e-4b5d-4e6f-8a9b-0c1d2e3f4a5b',
    resume: false,
    tools: [],
    launch: { cwd: this.dir, permissionMode: 'manual' as const, delivery: 'terminal' as const },
  };

  constructor(leaseOf?: (key: string) => number | undefined) {
    const claude = join(this.dir, 'claude');
    writeFileSync(claude, '#!/bin/sh\necho 9.9.9\n');
    chmodSync(claude, 0o755);
    this.agent = new ClaudeAgent({
      clock: new ManualClock(),
      log: silentLog,
      report: (_key, report) => void this.reports.push(report),
      reported: async () => {},
      claimCode: () => 'abcde',
      ownerOf: () => undefined,
      session: () => undefined,
      judge: () => noRule,
      joins: () => [],
      policed: false,
      loadHosts: async () => async () => this.host,
      stateDir: this.dir,
      baseUrl: '',
      claudeCommand: [claude],
      channelEntry: '',
      nodePath: process.execPath,
      env: { PATH: process.env.PATH },
      ...(leaseOf && { leaseOf }),
    });
  }

  /** @returns what became of it, in words */
  async start(): Promise<string> {
    this.agent.start(this.session);
    const exited = () => this.reports.flatMap((each) => (each.type === 'agent.exited' ? [each] : []));
    return (await until('its end', () => exited()[0])).detail;
  }

  adopt(): void {
    const living = { host: this.host, terminal: new Title(), run: 'r1', typed: undefined, token: '' };
    const nothing = {
      ended: [],
      joining: [],
      asks: [],
      dialogs: [],
      askedBefore: [],
      calls: [],
      results: [],
    };
    this.agent.adopt(this.session, living, { heard: 0, ...nothing }, { delivery: 'terminal', health: [] });
  }
}

test('a host has the lease of its session before anything is started in it', async () => {
  const asked: string[] = [];
  const world = new World((key) => {
    asked.push(key);
    return 5_000;
  });
  await world.start();
  expect(world.host.kept.slice(0, 2)).toEqual(['lease 5000', 'start']);
  expect(asked).toEqual(['k']);
  // None is there any more, and what is started next is asked for.
  world.agent.lease('k', 9_000);
  expect(world.host.kept).not.toContain('lease 9000');
});

test.each([0, -1])('with %d ms left nothing is started, which is said in words', async (ms) => {
  const world = new World(() => ms);
  expect(await world.start()).toMatch(/this machine may not go on [\s\S]*send it again/);
  expect(world.host.kept).toEqual([`lease ${ms}`, 'quit']);
});

test('one that is adopted gets what is left of its lease, and what is said later', async () => {
  const world = new World(() => 5_000);
  world.agent.lease('k', 1);
  world.adopt();
  world.agent.lease('k', 9_000);
  world.agent.lease('other', 9_000);
  world.agent.lease('k', undefined);
  expect(world.host.kept).toEqual(['lease 5000', 'lease 9000', 'lease undefined']);
});

test('one that is adopted keeps the lease it has while nobody knows of another', () => {
  const world = new World(() => undefined);
  world.adopt();
  expect(world.host.kept).toEqual([]);
});

test('where there are no leases, what is left of one is lifted: nobody would renew it', () => {
  const world = new World();
  world.adopt();
  expect(world.host.kept).toEqual(['lease undefined']);
});
