// A folder of notes in the configuration, and the names of the tools that read it and write to it.
import { z } from 'zod';

/** Patterns for paths inside of the vault, as .gitignore and most programs write them: `Private/**`. */
const globs = z.array(z.string().min(1).max(1_000)).max(100);

/** Its tools' names begin so, in every MCP client. */
export const vaultProvider = 'obsidian_rag';

export const vaultTools = {
  search: 'obsidian_rag_search',
  index: 'obsidian_rag_index',
  status: 'obsidian_rag_status',
  store: 'obsidian_rag_memory_store',
  release: 'obsidian_rag_release',
} as const;

const OllamaSettings = z.lazy(() =>
  z.strictObject({
    url: z
      .url({ protocol: /^https?$/, error: 'expected an address such as http://127.0.0.1:11434' })
      .refine((url) => !URL.canParse(url) || new URL(url).password === '', 'expected no password in it')
      .default('http://127.0.0.1:11434')
      .describe('Where Ollama answers. The texts of your notes are sent there.'),
    model: z
      .string()
      .min(1)
      .max(200)
      .default('nomic-embed-text')
      .describe('A model for embeddings, with or without a tag.'),
  }),
);

export const VaultSettings = z.lazy(() =>
  z
    .strictObject({
      path: z
        .string()
        .regex(/^(?:\/|[A-Za-z]:[\\/])/, 'expected an absolute path')
        .describe('Folder of Markdown notes.'),
      include: globs
        .min(1)
        .default(['**/*.md'])
        .describe('Which files are notes; patterns for paths inside of the folder.'),
      exclude: globs
        .default([])
        .describe(
          'Which of them are left alone: not read, not indexed, not shown. Hidden files and node_modules always are.',
        ),
      memories: z
        .string()
        .min(1)
        .max(200)
        .default('Memories')
        .describe('Folder inside of it that new memories are written to.'),
      embeddings: z
        .enum(['none', 'ollama', 'builtin'])
        .default('none')
        .describe(
          'What finds notes by their meaning, beside their words: a model that Ollama runs, or a small English one in a process of its own, installed on demand.',
        ),
      ollama: OllamaSettings.prefault({}),
      engine: z
        .enum(['sqlite', 'lancedb'])
        .default('sqlite')
        .describe('What keeps the vectors. LanceDB is installed on demand.'),
    })
    .describe('A folder of notes that Claude can search, and add to.'),
);
export type VaultSettings = z.infer<typeof VaultSettings>;

/** Another vault for the sessions of a profile; `false` for none. */
export const ProfileVault = z.lazy(() => z.union([VaultSettings, z.literal(false)]));

/** The part of a configuration that says which sessions have which vault. */
export const VaultChoice = z.lazy(() =>
  z.object({
    vault: VaultSettings.optional(),
    profiles: z.array(z.object({ match: z.string(), vault: ProfileVault.optional() })),
  }),
);
export type VaultChoice = z.infer<typeof VaultChoice>;

/** Each once, that of the sessions without a profile first. */
export function vaultsOf({ vault, profiles }: VaultChoice): VaultSettings[] {
  const all = new Map<string, VaultSettings>();
  // A schema gives its keys in one order.
  for (const each of [vault, ...profiles.map((profile) => profile.vault)])
    if (each && !all.has(JSON.stringify(each))) all.set(JSON.stringify(each), each);
  return [...all.values()];
}

/** What the bridge calls the provider of the vault that stands there in `vaultsOf`. */
export const vaultProviderAt = (at: number): string =>
  at === 0 ? vaultProvider : `${vaultProvider}_${at + 1}`;
