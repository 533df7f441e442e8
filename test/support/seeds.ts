// Property tests give the same result for the same commit; `npm run hunt` lets them look where none has looked yet.
import fc from 'fast-check';
import { runs } from './runs.ts';

const hunting = process.env.HUNT !== undefined;

fc.configureGlobal({ numRuns: runs(hunting ? 1_000 : 100), ...(!hunting && { seed: 20_261_122 }) });
