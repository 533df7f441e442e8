/** An older bridge tells less. */
type Told = number | null | undefined;

/** `$1.23` for people; what was told and is less than a cent is not nothing. */
export function usdText(usd: Told): string {
  if (typeof usd !== 'number') return 'not told';
  return usd > 0 && usd < 0.01 ? '<$0.01' : `$${usd.toFixed(2)}`;
}

/** `12k`: tokens that lie in Claude's context. */
export const tokensText = (tokens: Told): string => {
  if (typeof tokens !== 'number') return 'not told';
  return tokens < 1000 ? String(tokens) : `${Math.round(tokens / 1000)}k`;
};
