// What every store of vectors has to do, whatever it is made of.
import { expect, test } from 'vitest';
import { OtherDimensions, type VectorStore } from '../../../src/vault/vectors/vector-store.ts';
import { seeded } from '../../support/seeded.ts';

const dimensions = 48;

/** Of length 1, and the same one for the same seed. */
export function vectorOf(seed: number): Float32Array {
  const random = seeded(seed);
  const numbers = Array.from({ length: dimensions }, () => random() - 0.5);
  const length = Math.hypot(...numbers);
  return Float32Array.from(numbers, (number) => number / length);
}

export const hashOf = (seed: number): string => seed.toString(16).padStart(32, '0');
export const rowsOf = (count: number) =>
  Array.from({ length: count }, (_, seed) => ({ hash: hashOf(seed), vector: vectorOf(seed) }));

/** @param open opens what `dir` holds; a folder of its own for each test */
export function storeContract(open: () => { store: () => Promise<VectorStore> }): void {
  test('what was put is near itself, and known, also after it was opened anew', async () => {
    const { store } = open();
    const first = await store();
    await first.put(rowsOf(50));
    await first.close();
    const second = await store();
    expect(await second.known()).toEqual(new Set(rowsOf(50).map(({ hash }) => hash)));
    for (const seed of [0, 17, 49]) {
      const { near, of } = await second.nearest(vectorOf(seed), 3);
      const [nearest] = near;
      expect(of).toBe(50);
      expect(nearest?.hash).toBe(hashOf(seed));
      expect(nearest?.score).toBeCloseTo(1, 4);
    }
    await second.close();
  });

  test('an empty one is near nothing', async () => {
    const store = await open().store();
    expect(await store.nearest(vectorOf(1), 5)).toEqual({ near: [], of: 0 });
    expect(await store.known()).toEqual(new Set());
    await store.close();
  });

  test('the nearest are nearly all of those that a look at every vector gives, in their order', async () => {
    const store = await open().store();
    const rows = rowsOf(2_000);
    await store.put(rows);
    let found = 0;
    for (let seed = 5_000; seed < 5_020; seed += 1) {
      const query = vectorOf(seed);
      const exact = rows
        .map(({ hash, vector }) => ({
          hash,
          score: vector.reduce((sum, value, at) => sum + value * (query[at] ?? 0), 0),
        }))
        .toSorted((a, b) => b.score - a.score)
        .slice(0, 10);
      const { near } = await store.nearest(query, 10);
      expect(near).toHaveLength(10);
      expect(near.map(({ score }) => score)).toEqual(
        near.map(({ score }) => score).toSorted((a, b) => b - a),
      );
      found += near.filter(({ hash }) => exact.some((each) => each.hash === hash)).length;
    }
    expect(found / 200).toBeGreaterThan(0.99);
    await store.close();
  });

  test('one that is put again is replaced, and what is not kept is gone', async () => {
    const store = await open().store();
    await store.put(rowsOf(20));
    await store.put([{ hash: hashOf(3), vector: vectorOf(999) }]);
    expect((await store.nearest(vectorOf(999), 1)).near[0]?.hash).toBe(hashOf(3));
    await store.keep(new Set([hashOf(3), hashOf(4), hashOf(77)]));
    expect(await store.known()).toEqual(new Set([hashOf(3), hashOf(4)]));
    expect((await store.nearest(vectorOf(5), 10)).near.map(({ hash }) => hash).toSorted()).toEqual([
      hashOf(3),
      hashOf(4),
    ]);
    await store.close();
  });

  test('a vector of zeros is known, and near nothing', async () => {
    const store = await open().store();
    await store.put([...rowsOf(3), { hash: hashOf(9), vector: new Float32Array(dimensions) }]);
    const { near, of } = await store.nearest(vectorOf(1), 10);
    expect(near.map(({ hash }) => hash)).not.toContain(hashOf(9));
    expect(of).toBe(4);
    expect((await store.known()).has(hashOf(9))).toBe(true);
    await store.close();
  });

  test('a vector of other dimensions is refused, and changes nothing', async () => {
    const store = await open().store();
    await store.put(rowsOf(3));
    const other = Float32Array.of(1, 0);
    await expect(store.put([{ hash: hashOf(9), vector: other }])).rejects.toThrow(OtherDimensions);
    await expect(store.nearest(other, 3)).rejects.toThrow(OtherDimensions);
    expect((await store.nearest(vectorOf(1), 3)).of).toBe(3);
    await store.close();
  });

  test('what another one puts meanwhile is seen', async () => {
    const { store } = open();
    const [reader, writer] = [await store(), await store()];
    await writer.put(rowsOf(5));
    expect((await reader.nearest(vectorOf(2), 1)).near).toMatchObject([{ hash: hashOf(2) }]);
    await writer.put([{ hash: hashOf(8), vector: vectorOf(8) }]);
    expect((await reader.nearest(vectorOf(8), 1)).near).toMatchObject([{ hash: hashOf(8) }]);
    await reader.close();
    await writer.close();
  });

  test('when none is kept it is an empty one, and takes others', async () => {
    const store = await open().store();
    await store.put(rowsOf(5));
    await store.keep(new Set());
    expect(await store.known()).toEqual(new Set());
    expect(await store.nearest(vectorOf(1), 5)).toEqual({ near: [], of: 0 });
    await store.put(rowsOf(2));
    expect((await store.nearest(vectorOf(1), 5)).of).toBe(2);
    await store.close();
  });

  test('it is searched while vectors are put', async () => {
    const store = await open().store();
    await store.put(rowsOf(10));
    const puts = Array.from({ length: 10 }, (_, each) => store.put(rowsOf(10 + each * 5)));
    const searches = await Promise.all(puts.map(() => store.nearest(vectorOf(3), 1)));
    await Promise.all(puts);
    for (const { near } of searches) expect(near).toMatchObject([{ hash: hashOf(3) }]);
    expect((await store.nearest(vectorOf(54), 1)).of).toBe(55);
    await store.close();
  });
}
