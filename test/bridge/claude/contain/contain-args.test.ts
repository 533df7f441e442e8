// What bubblewrap is told: whatever is shown, what is hidden stays hidden, unless what is shown lies in it.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { containArgs, holds, type Mount } from '../../../../src/bridge/claude/contain/contain-args.ts';

type Seen = 'read' | 'write' | 'hidden' | 'blank';

/** Mounts as bubblewrap makes them, one after the other, and says what a path is then. */
function inside(args: readonly string[]): (path: string) => { as: Seen; from: string } {
  const mounted: { at: string; as: Seen; from: string }[] = [];
  for (let at = 0; at < args.length; at += 1) {
    const [flag, one = '', other = ''] = args.slice(at, at + 3);
    if (flag === '--bind') mounted.push({ at: other, as: 'write', from: one });
    if (flag === '--ro-bind')
      mounted.push({ at: other, as: one === '/dev/null' ? 'blank' : 'read', from: one });
    if (flag === '--tmpfs') mounted.push({ at: one, as: 'hidden', from: '' });
  }
  return (path) => {
    // A later mount lies over what an earlier one has at that path and below.
    const seen = mounted.findLast(({ at }) => holds(at, path));
    if (!seen) throw new Error(`nothing at ${path}`);
    return { as: seen.as, from: seen.from + path.slice(seen.at.length) };
  };
}

const path = fc
  .array(fc.constantFrom('a', 'b', 'c'), { minLength: 1, maxLength: 5 })
  .map((parts) => `/${parts.join('/')}`);
const mount: fc.Arbitrary<Mount> = fc.record({
  path,
  as: fc.constantFrom(
    'read' as const,
    'write' as const,
    'scratch' as const,
    'empty' as const,
    'blank' as const,
  ),
});
const isHidden = ({ as }: Mount) => as !== 'read' && as !== 'write';

test('no folder that is shown brings back what is hidden in it', () => {
  fc.assert(
    fc.property(fc.array(mount, { maxLength: 12 }), path, (mounts, wanted) => {
      const last = new Map(mounts.map((each) => [each.path, each]));
      const nearest = [...last.values()]
        .filter((each) => holds(each.path, wanted))
        .sort((one, other) => one.path.length - other.path.length)
        .at(-1);
      const { as } = inside(containArgs(mounts, '/work'))(wanted);
      // By the nearest of all, whatever was asked for in which order.
      expect(as === 'hidden' || as === 'blank').toBe(nearest !== undefined && isHidden(nearest));
      expect(as === 'write').toBe(nearest?.as === 'write');
    }),
  );
});

test('a folder for nobody is closed after places in it were made, and one for Claude is not', () => {
  const args = containArgs(
    [
      { path: '/state/memory/x', as: 'write' },
      { path: '/state', as: 'empty' },
      { path: '/tmp', as: 'scratch' },
    ],
    '/work',
  );
  expect(args.slice(args.indexOf('/proc') + 1)).toEqual([
    ...['--tmpfs', '/state', '--tmpfs', '/tmp', '--bind', '/state/memory/x', '/state/memory/x'],
    ...['--remount-ro', '/state', '--chdir', '/work', '--'],
  ]);
});

test('it has no capability, no namespace of ours, and does not outlive who started it', () => {
  const args = containArgs([], '/work');
  for (const flag of ['--unshare-user', '--unshare-pid', '--unshare-ipc', '--die-with-parent'])
    expect(args).toContain(flag);
  expect(args.slice(args.indexOf('--cap-drop')).slice(0, 2)).toEqual(['--cap-drop', 'ALL']);
  // The whole system to read, and then what is its own.
  const order = ['--ro-bind', '--dev', '--proc'].map((flag) => args.indexOf(flag));
  expect(order).toEqual(order.toSorted((one, other) => one - other));
  expect(args).not.toContain('--unshare-net');
});

test('no place is made in a folder that stands for another one, for what is hidden there', () => {
  const args = containArgs(
    [
      { path: '/home/u/.cache', as: 'write', from: '/own/cache' },
      { path: '/home/u/.cache/synthesis', as: 'empty' },
    ],
    '/work',
  );
  expect(args).not.toContain('/home/u/.cache/synthesis');
});

test('what comes from elsewhere is named, and the last word on a path counts', () => {
  const seen = inside(
    containArgs(
      [
        { path: '/home/u/.claude', as: 'read' },
        { path: '/home/u/.claude', as: 'write', from: '/state/own' },
      ],
      '/work',
    ),
  );
  expect(seen('/home/u/.claude/x')).toEqual({ as: 'write', from: '/state/own/x' });
  expect(seen('/home/u/.bashrc')).toMatchObject({ as: 'read' });
});
