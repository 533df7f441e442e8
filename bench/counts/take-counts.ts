import { newPlace } from '../harness/place.ts';
import { coreCounts } from './core-counts.ts';
import type { Counts } from './counts.ts';
import { loads } from './loads.ts';

/** All counts there are. The program must be built. */
export async function takeCounts(): Promise<Counts> {
  await using place = await newPlace();
  return { ...(await loads(place)), ...(await coreCounts(place)) };
}
