/** The part of a property's cases that is tried: `npm run check` tries a tenth of what CI tries, its beginning as the seed is the same. */
const share = Number(process.env.PROPERTY_SHARE ?? 1);

/** @param all how many cases are tried where it counts */
export const runs = (all: number) => Math.max(1, Math.ceil(all * share));
