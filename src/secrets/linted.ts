// What secretlint finds. Its rules are run here and not by its core: that one reads switches in the text (a note that
// says `secretlint-disable` would not be looked at), measures each run into a list that only grows, and compares each
// find with every other one.
import { rules } from '@secretlint/secretlint-rule-preset-recommend';
import type { SecretLintSourceCode } from '@secretlint/types';
import { isPlaceholder } from './placeholder.ts';
import type { Place } from './secret.ts';

type Rule = (typeof rules)[number];

/**
 * The last part of a rule's id, and what it finds. Not of the one of private keys: the dashes around a key look like
 * what stands in for a secret, so that its finds are left out below. private-keys.ts has them.
 */
const kinds: Readonly<Record<string, string>> = {
  aws: 'AWS secret key',
  npm: 'npm token',
  basicauth: 'password in an address',
  slack: 'Slack token',
  shopify: 'Shopify token',
  stripe: 'Stripe key',
  gitlab: 'GitLab token',
  grafana: 'Grafana token',
  openai: 'OpenAI key',
  anthropic: 'Anthropic key',
  groq: 'Groq key',
  huggingface: 'Hugging Face token',
  linear: 'Linear token',
  notion: 'Notion token',
  '1password': '1Password token',
  'database-connection-string': 'password in an address',
  'hashicorp-vault': 'Vault token',
  vercel: 'Vercel token',
  databricks: 'Databricks token',
  docker: 'Docker token',
  figma: 'Figma token',
  cloudflare: 'Cloudflare token',
  tailscale: 'Tailscale key',
};

const prefix = '@secretlint/secretlint-rule-';
const nameOf = ({ meta }: Rule): string => meta.id.slice(prefix.length);
/**
 * The switches; one that reads files of keys, which a note is not; and two that read a hostile text for seconds, as they
 * begin again within what they have just read: the table of tokens has what those find.
 */
const leftOut = ['filter-comments', 'gcp', 'github', 'sendgrid'];
const used = rules.filter((rule) => !leftOut.includes(nameOf(rule)));

/** Nothing is read or written; the name only tells rules for `package.json` and the like that this is none. */
const sourceOf = (content: string): SecretLintSourceCode => ({
  content,
  contentType: 'text',
  filePath: 'note.md',
  ext: '.md',
  hasBOM: false,
  getFilePath: () => 'note.md',
  physicalFilePath: undefined,
  getPhysicalFilePath: () => undefined,
  ...unused,
});

/** Where a find stands is counted once, for all of them, by who asked. */
const nowhere = { line: 0, column: 0 };
const unused = {
  locationToRange: (): [number, number] => [0, 0],
  rangeToLocation: () => ({ start: nowhere, end: nowhere }),
  positionToIndex: () => 0,
  indexToPosition: () => nowhere,
};

/**
 * Rule by rule.
 *
 * @throws Error when a rule answers later, which none for text does: what it found would be lost
 */
export function linted(text: string): Place[] {
  const places: Place[] = [];
  const source = sourceOf(text);
  for (const rule of used) {
    const kind = kinds[nameOf(rule)] ?? 'token';
    const handler = rule.create(
      {
        sharedOptions: {},
        createTranslator: () => (messageId) => ({
          message: '',
          messageId: String(messageId),
          data: undefined,
        }),
        report: ({ range: [start, end] }) => {
          if (!isPlaceholder(text.slice(start, end))) places.push({ start, end, kind });
        },
        ignore: () => {},
      },
      {},
    );
    if (handler.file?.(source) instanceof Promise) throw new Error(`${rule.meta.id} answers later`);
  }
  return places;
}
