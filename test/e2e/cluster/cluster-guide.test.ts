// What the guide of several machines has one write on servers of one's own: those very texts, on one real server.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { jetstream } from '@nats-io/jetstream';
import { Kvm } from '@nats-io/kv';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { execa } from 'execa';
import { expect, onTestFinished } from 'vitest';
import { blocks, page } from '../../docs/pages.ts';
import { lastingPort } from '../../support/lasting-port.ts';
import { natsServer } from '../../support/nats.ts';
import { natsTest as test } from '../../support/nats-test.ts';
import { until } from '../../support/until.ts';
import { Home } from '../support/program.ts';

const guide = page('docs/guides/many-machines.md').text;

/** A folder with the certificates of the guide, and a server with its configuration. The name in them is one that is here. */
async function guided(): Promise<{ url: string; file(name: string): string }> {
  const dir = mkdtempSync(join(tmpdir(), 'guide-'));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true, maxRetries: 5 }));
  const [certificates = ''] = blocks(guide, 'sh').filter((block) => block.includes('openssl'));
  await execa('sh', ['-euc', certificates.replaceAll('nats-1.example', 'localhost')], { cwd: dir });
  const file = (name: string) => join(dir, 'cluster-ca', name);
  const [server = '', users = '', forTakeover = ''] = blocks(guide, 'conf');
  mkdirSync(join(dir, 'store'));
  const port = await lastingPort();
  const config =
    `${server}\n${users.replaceAll('"$JS.API.INFO",', (each) => `${each} ${forTakeover.trim()},`)}`
      .replace(/^cluster \{\n[\s\S]*?^\}\n/m, '')
      .replace('0.0.0.0:4222', `127.0.0.1:${port}`)
      .replace('/var/lib/nats', join(dir, 'store'))
      .replaceAll('/etc/nats/server.', `${file('localhost')}.`)
      .replaceAll('/etc/nats/ca.crt', file('ca.crt'));
  writeFileSync(file('nats-server.conf'), config);
  const child = spawn(natsServer ?? '', ['-c', file('nats-server.conf')], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  onTestFinished(async () => {
    const over = once(child, 'exit');
    if (child.kill('SIGKILL')) await over;
  });
  let said = '';
  child.stderr.on('data', (text) => (said += text));
  await until('the server of the guide', () => said.includes('Server is ready'));
  return { url: `tls://localhost:${port}`, file };
}

test('with a user for each machine bridges are one, and none of them can pass for another', async () => {
  const { url, file } = await guided();
  const proof = (node: string) => ({
    caFile: file('ca.crt'),
    certFile: file(`${node}.crt`),
    keyFile: file(`${node}.key`),
  });
  await using laptop = new Home();
  await using server = new Home();
  laptop.configure({ cluster: { node: 'laptop', takeover: true, servers: [url], ...proof('laptop') } });
  server.configure({ cluster: { node: 'server', takeover: true, servers: [url], ...proof('server') } });
  const [first, second] = [await laptop.up(), await server.up()];
  const status = () => server.run(['cluster', 'status', '--json', '--state-dir', server.state]);
  await until('both nodes', async () => (await status()).stdout.includes('"alive"'), 20_000);
  expect(await first.ask('work', 'hello')).toContain('hello');
  expect(await second.ask('work', '[[recall]]')).toContain('hello');
  expect((await server.run(['ps', '--node', 'laptop', '--state-dir', server.state])).stdout).toContain(
    'work',
  );
  const inboxPrefix = '_INBOX.server';
  const asServer = await connect({ servers: url, tls: proof('server'), reconnect: false, inboxPrefix });
  onTestFinished(() => asServer.close());
  // What another machine could go on with is there, and goes with the home.
  const { streams } = await jetstream(asServer).jetstreamManager(false);
  const copies = async () => (await streams.info('COPY_synthesis')).state.messages;
  expect(await copies()).toBeGreaterThan(0);
  expect((await laptop.command('rm', 'work')).code).toBe(0);
  await until('what was kept of it to be gone', async () => (await copies()) === 0);
  await until('that it begins anew', async () => (await second.ask('work', 'hi')).includes('0 earlier'));

  for (const subject of ['synthesis.node.laptop.dial', 'synthesis.node.*.dial', 'synthesis.>', '$KV.>', '>'])
    expect([subject, await mayListen(asServer, subject)]).toEqual([subject, false]);
  // What is said to a machine is heard by that one alone.
  expect(await mayListen(asServer, '_INBOX.laptop.>')).toBe(false);
  expect(await mayListen(asServer, '_INBOX.server.mine')).toBe(true);
  for (const subject of [
    '$KV.synthesis.node.laptop',
    '$JS.API.STREAM.DELETE.KV_synthesis',
    '$JS.API.STREAM.PURGE.KV_synthesis',
    '$JS.API.STREAM.UPDATE.KV_synthesis',
    '$JS.API.STREAM.MSG.DELETE.KV_synthesis',
    '$JS.API.STREAM.DELETE.COPY_synthesis',
    '$JS.API.STREAM.PURGE.COPY_synthesis',
    '$JS.API.STREAM.MSG.DELETE.other',
  ])
    await expect(asServer.request(subject, '{}', { timeout: 3_000 }), subject).rejects.toThrow(/permission/i);
  const bucket = await new Kvm(jetstream(asServer)).open('synthesis').catch(() => undefined);
  expect((await bucket?.get('node.laptop'))?.json()).toMatchObject({ node: 'laptop', stopped: false });
  const nobody = connect({ servers: url, tls: { caFile: file('ca.crt') }, reconnect: false });
  await expect(nobody).rejects.toThrow();
  const otherCertificate = connect({ servers: url, tls: proof('localhost'), reconnect: false });
  await expect(otherCertificate).rejects.toThrow();
}, 90_000);

async function mayListen(connection: NatsConnection, subject: string): Promise<boolean> {
  let refused = false;
  connection.subscribe(subject, {
    callback: (error) => {
      refused ||= error !== null;
    },
  });
  await connection.flush();
  return !refused;
}
