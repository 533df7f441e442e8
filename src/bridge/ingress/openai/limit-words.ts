/** What a token is for, a sentence. @param limit as `fitsSession` has it */
export const limitWords = (limit: string): string =>
  limit.endsWith('*')
    ? `The token is only for conversations whose key begins with ${JSON.stringify(limit.slice(0, -1))}.`
    : `The token is only for the conversation ${JSON.stringify(limit)}.`;
