/** What somebody reads whose message comes while it cannot be said where the conversation lives; without trailing newline. */
export const movingText = (node: string): string =>
  `This conversation is on its way between two machines (${node}). Your message was not taken and Claude has not seen it; send it again in a minute.`;
