import { z } from 'zod';

const Text = z.object({ type: z.literal('text'), text: z.string() });
const Media = z.object({ type: z.enum(['image', 'audio']), data: z.string(), mimeType: z.string() });
const Resource = z.object({
  type: z.literal('resource'),
  resource: z.object({
    uri: z.string(),
    mimeType: z.string().optional(),
    text: z.string().optional(),
    blob: z.string().optional(),
  }),
});
const Link = z.object({ type: z.literal('resource_link'), uri: z.string(), name: z.string() });

/** A result of `tools/call`. Its data is not looked into here: it may be too deep for that. */
export const ToolResult = z
  .object({
    content: z.array(z.discriminatedUnion('type', [Text, Media, Resource, Link])).optional(),
    structuredContent: z.record(z.string(), z.unknown()).optional(),
    isError: z.boolean().optional(),
  })
  .refine(({ content, structuredContent }) => content !== undefined || structuredContent !== undefined);
type Block = NonNullable<z.infer<typeof ToolResult>['content']>[number];

/** More blocks than this are no answer that somebody reads. */
export const mostBlocks = 1_000;

/** All text of a result; undefined if it holds none. */
export function textOf(content: readonly Block[] = []): string | undefined {
  const texts = content.flatMap((block) => textsOf(block));
  return texts.length > 0 ? texts.join('\n') : undefined;
}

const textsOf = (block: Block): string[] => {
  if (block.type === 'text') return [block.text];
  return block.type === 'resource' && block.resource.text !== undefined ? [block.resource.text] : [];
};

/** What a result holds beside its text, in words: `image/png, 12 kB`. */
export const leftOut = (content: readonly Block[] = []): string[] =>
  content.flatMap((block) => {
    if (block.type === 'image' || block.type === 'audio')
      return [`${block.mimeType.slice(0, 60)}, ${sizeOf(block.data)}`];
    if (block.type === 'resource_link') return [`link: ${block.name.slice(0, 60)}`];
    if (block.type === 'resource' && block.resource.text === undefined) {
      return [
        `${(block.resource.mimeType ?? 'resource').slice(0, 60)}, ${sizeOf(block.resource.blob ?? '')}`,
      ];
    }
    return [];
  });

/** Base64 holds three bytes in four characters. */
const sizeOf = (base64: string): string => `${Math.ceil((base64.length * 3) / 4 / 1000)} kB`;
