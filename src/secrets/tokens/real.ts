import { isPlaceholder } from '../placeholder.ts';
import { isRandom } from '../random.ts';

export const real = (value: string): boolean => !isPlaceholder(value);
export const made = (value: string): boolean => real(value) && isRandom(value);
