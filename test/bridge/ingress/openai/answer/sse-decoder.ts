// A reader of event streams by the rules of the HTML standard, for what our streams use.
export function decodeSse(stream: string): { event?: string; value: unknown }[] {
  if (stream !== '' && !stream.endsWith('\n\n')) throw new Error('the stream ends inside of an event');
  return stream
    .split(/\r\n\r\n|\n\n|\r\r/)
    .filter((block) => block !== '')
    .map((block) => {
      const data: string[] = [];
      let event: string | undefined;
      for (const line of block.split(/\r\n|\n|\r/)) {
        const at = line.indexOf(':');
        const field = at === -1 ? line : line.slice(0, at);
        const value = at === -1 ? '' : line.slice(at + 1).replace(/^ /, '');
        if (field === 'data') data.push(value);
        else if (field === 'event') event = value;
        else throw new Error(`unexpected line ${JSON.stringify(line)}`);
      }
      const text = data.join('\n');
      return {
        ...(event === undefined ? {} : { event }),
        value: text === '[DONE]' ? text : JSON.parse(text),
      };
    });
}
