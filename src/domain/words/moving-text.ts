/** What somebody reads whose message comes while it cannot be said where the conversation lives; without trailing newline. */
export const movingText = ({ node, as }: { node: string; as: 'leaving' | 'arriving' | 'held' }): string =>
  as === 'held'
    ? `Whether this conversation still lives on ${node} cannot be found out now: the machines do not reach each other. Your message was not taken and Claude has not seen it; send it again in a minute.`
    : `This conversation is on its way between two machines (${node}). Your message was not taken and Claude has not seen it; send it again in a minute.`;
