// Files of a conversation on their way, on a real disk: nothing is read through a link, nothing written outside.
import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { ConversationFiles } from '../../../../src/bridge/cluster/files/conversation-files.ts';
import { CarriedFiles, carriedLimits } from '../../../../src/protocol/cluster/carried-files.ts';

const file = (path: string, text: string) => ({ path, data: Buffer.from(text).toString('base64') });

/** One machine's disk, with the folder of one conversation. */
function disk() {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'files-')));
  onTestFinished(() => rmSync(root, { recursive: true }));
  const folder = join(root, 'memory', 'k');
  const said: [string, unknown][] = [];
  const log = (message: string, about?: object) => said.push([message, about]);
  const logged = { debug: log, info: log, warn: log, error: log } as never;
  const folders = () => ({ memory: folder });
  const files = new ConversationFiles({ folders, isOwn: (key) => key !== 'shared', log: logged });
  return {
    root,
    folder,
    files,
    said,
    put: (path: string, text: string | Uint8Array) => {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    },
    texts: () =>
      Object.fromEntries(
        (readdirSync(folder, { recursive: true, withFileTypes: true }) ?? [])
          .filter((entry) => entry.isFile())
          .map((entry) => join(entry.parentPath, entry.name))
          .map((path) => [path.slice(folder.length + 1), readFileSync(path, 'utf8')]),
      ),
  };
}

test('what is written here is read there, byte for byte', async () => {
  const [mac, box] = [disk(), disk()];
  mac.put('MEMORY.md', '- [a](a.md)\n');
  mac.put('notes/deep/a.md', Buffer.from([0, 255, 10, 0xc3]));
  mac.put('leer und größer.md', '');
  const files = (await mac.files.read('k')) ?? [];
  expect(CarriedFiles.parse(JSON.parse(JSON.stringify(files)))).toEqual(files);
  await box.files.write('k', files);
  expect(box.texts()).toEqual(mac.texts());
  expect(readFileSync(join(box.folder, 'notes/deep/a.md'))).toEqual(Buffer.from([0, 255, 10, 0xc3]));
  for (const [path, mode] of [
    ['', '700'],
    ['notes/deep', '700'],
    ['MEMORY.md', '600'],
  ] as const)
    expect((statSync(join(box.folder, path)).mode & 0o777).toString(8)).toBe(mode);
  expect([mac.said, await mac.files.stays('k')]).toEqual([[], []]);
});

test('where there is nothing yet nothing goes, and where they are shared it is not known', async () => {
  const { files, put } = disk();
  expect(await files.read('k')).toEqual([]);
  put('MEMORY.md', 'of all');
  expect([await files.read('shared'), await files.stays('shared')]).toEqual([undefined, []]);
});

test('links, pipes and names that no other system takes stay, and are named once', async () => {
  const { root, folder, files, put, said } = disk();
  writeFileSync(join(root, 'secret'), 'SECRET');
  mkdirSync(join(root, 'others'));
  writeFileSync(join(root, 'others', 'note.md'), 'SECRET');
  put('MEMORY.md', 'mine');
  symlinkSync(join(root, 'secret'), join(folder, 'link.md'));
  symlinkSync(join(root, 'others'), join(folder, 'linked'));
  execFileSync('mkfifo', [join(folder, 'pipe.md')]);
  put('a\\b.md', 'odd');
  put('line\nbreak.md', 'odd');
  expect(await files.read('k')).toEqual([file('memory/MEMORY.md', 'mine')]);
  await files.read('k');
  const stays = [
    '"memory/a\\\\b.md": not every system takes that name',
    '"memory/line\\nbreak.md": not every system takes that name',
    'memory/link.md: not a plain file',
    'memory/linked: not a plain file',
    'memory/pipe.md: not a plain file',
  ];
  expect((await files.stays('k')).sort()).toEqual(stays);
  expect(said).toMatchObject([['files of a conversation do not go where it goes', { session: 'k' }]]);
  await files.remove('k', (await files.read('k')) ?? []);
  expect(readdirSync(folder).sort()).toEqual(['a\\b.md', 'line\nbreak.md', 'link.md', 'linked', 'pipe.md']);
  expect(readFileSync(join(root, 'others', 'note.md'), 'utf8')).toBe('SECRET');
});

test('a folder that is a link is not looked into', async () => {
  const { root, folder, files } = disk();
  mkdirSync(join(root, 'others'));
  mkdirSync(dirname(folder));
  writeFileSync(join(root, 'others', 'note.md'), 'SECRET');
  symlinkSync(join(root, 'others'), folder);
  await expect(files.read('k')).rejects.toThrow('is a symbolic link');
  expect(await files.stays('k')).toEqual([`all of it: ${folder} is a symbolic link.`]);
  await expect(files.write('k', [file('memory/a.md', 'a')])).rejects.toThrow('is a symbolic link');
  expect(readdirSync(join(root, 'others'))).toEqual(['note.md']);
});

test('what is too large stays, in words, and everything else goes', async () => {
  const { files, put, said, texts } = disk();
  put('MEMORY.md', 'index');
  put('large.md', Buffer.alloc(carriedLimits.bytes - 4, 'x'));
  put('small.md', 'small');
  const sent = (await files.read('k')) ?? [];
  expect(sent.map(({ path }) => path).sort()).toEqual(['memory/MEMORY.md', 'memory/small.md']);
  const words = 'memory/large.md: with it there would be more than 1 MB or 1000 files';
  expect([await files.stays('k'), said]).toMatchObject([[words], [[expect.any(String), { stays: [words] }]]]);
  await files.remove('k', sent);
  expect(Object.keys(texts())).toEqual(['large.md']);
  // Alone it fits.
  put('large.md', Buffer.alloc(carriedLimits.bytes, 'x'));
  expect(CarriedFiles.parse(await files.read('k'))).toHaveLength(1);
});

test('of very many files not all go, and few are named', async () => {
  const { files, put } = disk();
  for (let n = 0; n < 2 * carriedLimits.files + 5; n += 1) put(`${n}.md`, '');
  expect(CarriedFiles.parse(await files.read('k'))).toHaveLength(carriedLimits.files);
  const stays = await files.stays('k');
  expect([stays.length, stays.at(-1)]).toEqual([10, '992 more']);
});

test('what comes takes the place of what was there: nothing that was deleted elsewhere is back', async () => {
  const { files, put, texts, said } = disk();
  put('MEMORY.md', 'old');
  put('forgotten/secret.md', 'old');
  put('large.md', Buffer.alloc(carriedLimits.bytes + 1));
  await files.write('k', [file('memory/MEMORY.md', 'new'), file('pictures/later.png', 'of a later release')]);
  expect(Object.keys(texts()).sort()).toEqual(['MEMORY.md', 'large.md']);
  expect(texts()['MEMORY.md']).toBe('new');
  expect(said).toMatchObject([
    ['files of a conversation gave way to those that came', { gave: ['memory/forgotten/secret.md'] }],
  ]);
});

test.each([
  '../outside',
  'memory/../outside',
  'memory/../../outside',
  'memory/a/../../../outside',
  'memory/./a',
  'memory//a',
  '/memory/a',
  'memory/',
  'memory',
  '',
  'memory/a\\..\\b',
  'memory/c:a',
  'memory/a\0b',
  'memory/a\nb',
  'memory/\ud800',
  `memory/${'x'.repeat(256)}`,
  `memory/${'x/'.repeat(600)}x`,
])('a path that leads elsewhere, or is none, is refused: %j', (path) => {
  expect(CarriedFiles.safeParse([file(path, 'x')]).success).toBe(false);
});

test('more than may go is refused', () => {
  const [over, many] = ['x'.repeat(carriedLimits.bytes + 1), carriedLimits.files + 1];
  expect(CarriedFiles.safeParse([file('memory/a', over)]).success).toBe(false);
  const all = Array.from({ length: many }, (_, n) => file(`memory/${n}`, ''));
  expect(CarriedFiles.safeParse(all).success).toBe(false);
});

test.each(['a folder', 'a file'])('a link in the place of %s leads nothing outside', async (kind) => {
  const { root, folder, files } = disk();
  mkdirSync(join(root, 'outside'));
  mkdirSync(folder, { recursive: true });
  const isFolder = kind === 'a folder';
  symlinkSync(join(root, 'outside', isFolder ? '' : 'note.md'), join(folder, isFolder ? 'notes' : 'note.md'));
  const written = files.write('k', [file(isFolder ? 'memory/notes/note.md' : 'memory/note.md', 'x')]);
  if (isFolder) await expect(written).rejects.toThrow('is a symbolic link');
  else await written;
  expect([readdirSync(join(root, 'outside')), existsSync(join(folder, 'note.md'))]).toEqual([[], !isFolder]);
});
