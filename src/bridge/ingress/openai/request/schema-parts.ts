// Pieces that both request schemas share.
import { z } from 'zod';
import { MAX_FRAME_DEPTH } from '../../../../protocol/wire/wire.ts';
import { hasControlCharacter, MAX_IDENTITY_LENGTH } from './identity-headers.ts';
import type { Part } from './provider-request.ts';

/** A name that becomes part of a session's identity. */
export const IdentityText = z
  .string()
  .max(MAX_IDENTITY_LENGTH)
  .refine((text) => !hasControlCharacter(text), 'must not hold control characters');

/** What was said. Half a character has no form in UTF-8, which is all that Claude, the journal and a digest can hold. */
export const SaidText = z.string().overwrite((text) => text.toWellFormed());

const ImageUrl = z.union([z.string(), z.object({ url: z.string() })], 'expected a URL or { url }');

/** One content part of either API. Kinds we don't know are accepted and later reported as unsupported. */
const ContentPart = z
  .object({
    type: z.string(),
    text: SaidText.optional(),
    refusal: SaidText.optional(),
    image_url: ImageUrl.nullish(),
  })
  .superRefine((part, context) => {
    if (isTextKind(part.type) && part.text === undefined) {
      context.addIssue({ code: 'custom', path: ['text'], message: `a ${part.type} part needs a text` });
    }
    if (part.type === 'image_url' && !part.image_url) {
      context.addIssue({ code: 'custom', path: ['image_url'], message: 'an image_url part needs a url' });
    }
  });
type ContentPart = z.infer<typeof ContentPart>;

export const Content = z.union([SaidText, z.array(ContentPart)], 'expected a text or a list of parts');
export type Content = z.infer<typeof Content>;

const longestName = 256;
/** Of a model or a tool: as long as in the wire protocol's tool specs. */
export const Name = z.string().min(1).max(longestName);
/** The same, without a word about what is wrong. */
export const isName = (value: unknown): value is string =>
  typeof value === 'string' && value !== '' && value.length <= longestName;

/** Levels of a tool's schema: Claude gets it in one frame, with four levels around it. */
const mostSchemaLevels = MAX_FRAME_DEPTH - 4;

/** Whether there are no more levels than Claude can be lent. Looks no deeper than that. */
export const isShallow = (schema: unknown, levels: number = mostSchemaLevels): boolean =>
  typeof schema !== 'object' ||
  schema === null ||
  (levels > 0 && Object.values(schema).every((each) => isShallow(each, levels - 1)));

export const ToolParameters = z.record(z.string(), z.unknown()).refine((schema) => isShallow(schema), {
  error: `the schema is nested deeper than ${mostSchemaLevels} levels. Nothing was started; send a flatter one, or leave this tool out`,
});

const isTextKind = (kind: string) => kind === 'text' || kind === 'input_text' || kind === 'output_text';

export function partsOf(content: Content | null | undefined): Part[] {
  if (content === null || content === undefined) return [];
  if (typeof content === 'string') return [{ type: 'text', text: content }];
  return content.map(toPart);
}

function toPart(part: ContentPart): Part {
  if (isTextKind(part.type)) return { type: 'text', text: part.text ?? '' };
  if (part.type === 'refusal') return { type: 'text', text: part.refusal ?? '' };
  if (part.type === 'image_url' || part.type === 'input_image') {
    const url = typeof part.image_url === 'string' ? part.image_url : part.image_url?.url;
    if (url) return { type: 'image', url };
  }
  return { type: 'unsupported', kind: part.type };
}

export const textOf = (content: Content | null | undefined): string =>
  typeof content === 'string'
    ? content
    : partsOf(content)
        .flatMap((part) => (part.type === 'text' ? [part.text] : []))
        .join('\n');

export const imagesOf = (content: Content | null | undefined): string[] =>
  typeof content === 'string'
    ? []
    : partsOf(content).flatMap((part) => (part.type === 'image' ? [part.url] : []));
