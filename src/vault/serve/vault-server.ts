// The vault as an MCP server: the same tools for every agent.
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { type CallToolResult, PingRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import { failed } from '../../domain/tools/tool-envelope.ts';
import type { Envelope } from '../../protocol/envelope.ts';
import { vaultTools } from '../../protocol/settings/vault.ts';
import type { Vault } from '../vault.ts';

export interface VaultServerOptions {
  /** Whether withheld lines can be released: only where a person is asked before each call. */
  releases: boolean;
  /** A fault of ours, whose words are not for agents. */
  failed: (error: unknown) => void;
}

/** Of the tools: raised when they change. */
const toolsVersion = '1.0.0';

const usualLimit = 8;
const mostResults = 20;
/** UTF-16 units. */
const longestQuery = 1_000;
const longestName = 1_024;

const name = z.string().min(1).max(longestName);
const tags = z.array(z.string().min(1).max(100)).max(20);

export function vaultServer(vault: Vault, options: VaultServerOptions): McpServer {
  const server = new McpServer({ name: 'obsidian-rag', version: toolsVersion });
  const answer = async (work: Promise<Envelope>): Promise<CallToolResult> => {
    try {
      return result(await work);
    } catch (error) {
      options.failed(error);
      return result(failed('TOOL_FAILED', 'The vault could not do that; its log says why.'));
    }
  };
  addReading(server, vault, answer);
  addWriting(server, vault, answer);
  if (options.releases) addRelease(server, vault, answer);
  server.server.setRequestHandler(PingRequestSchema, () => ({
    _meta: { 'synthesis/health': vault.health },
  }));
  return server;
}

type Answer = (work: Promise<Envelope>) => Promise<CallToolResult>;

function addReading(server: McpServer, vault: Vault, answer: Answer): void {
  server.registerTool(
    vaultTools.search,
    {
      description:
        'Searches the notes of the user by words, and gives back the parts that fit best, each with its file and line. Use the words that stand in the notes; "in quotes" for a phrase.',
      inputSchema: {
        query: z.string().min(1).max(longestQuery).describe('What to look for.'),
        limit: z.number().int().min(1).max(mostResults).default(usualLimit).describe('Most results.'),
        folder: name.optional().describe('Only notes in this folder of the vault.'),
        tag: z.string().min(1).max(100).optional().describe('Only notes with this tag.'),
      },
      annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
    },
    (request) => answer(vault.search(request)),
  );
  server.registerTool(
    vaultTools.status,
    {
      description: 'Tells how the index of the notes is: how many, how new, what was left aside, what runs.',
      inputSchema: {},
      annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
    },
    () => answer(vault.status()),
  );
  server.registerTool(
    vaultTools.index,
    {
      description:
        'Brings the index of the notes up to date. Searching does that by itself: use it when an answer says so. Gives back a job; status tells how far it is.',
      inputSchema: {
        rebuild: z.boolean().default(false).describe('Make the index anew; the old one answers meanwhile.'),
      },
      annotations: { idempotentHint: true, openWorldHint: false },
    },
    ({ rebuild }) => answer(vault.index(rebuild)),
  );
}

function addWriting(server: McpServer, vault: Vault, answer: Answer): void {
  server.registerTool(
    vaultTools.store,
    {
      description:
        'Writes something worth remembering into the notes of the user: one note for each topic, or for each day without one. Nothing that is there is changed.',
      inputSchema: {
        text: z.string().min(1).max(8_000).describe('What to remember, so that it can be understood alone.'),
        topic: z
          .string()
          .min(1)
          .max(80)
          .optional()
          .describe('Title of the note; without one, that of the day.'),
        tags: tags.optional().describe('Tags, without #.'),
        links: tags.optional().describe('Titles of notes that it is about.'),
      },
      annotations: { idempotentHint: true, destructiveHint: false, openWorldHint: false },
    },
    (request) => answer(vault.store(request)),
  );
}

function addRelease(server: McpServer, vault: Vault, answer: Answer): void {
  server.registerTool(
    vaultTools.release,
    {
      description:
        'Shows a line that a search has withheld because it holds a secret, if the user says yes. Ask for it only when the user wants exactly that secret.',
      inputSchema: { release: z.string().min(1).max(100).describe('`release` of the withheld line.') },
      annotations: { openWorldHint: false },
    },
    ({ release }) => answer(vault.release(release)),
  );
}

const result = (envelope: Envelope): CallToolResult => ({
  structuredContent: { ...envelope },
  content: [{ type: 'text', text: JSON.stringify(envelope) }],
  isError: envelope.error !== null && envelope.data === null,
});
