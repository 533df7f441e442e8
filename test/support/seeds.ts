// Property tests give the same result for the same commit; `npm run hunt` lets them look where none has looked yet.
import fc from 'fast-check';

const hunting = process.env.HUNT !== undefined;

fc.configureGlobal(hunting ? { numRuns: 1_000 } : { seed: 20_261_122 });
