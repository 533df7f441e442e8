import { defineConfig } from 'rolldown';

/** Native or worker-spawning packages that must be loaded from node_modules as they are. */
const external = [/^node:/, '@lydell/node-pty', '@xterm/headless', '@xterm/addon-serialize', 'fastify'];

/** The MCP SDK brings a JSON Schema validator that the channel never uses: it has its own schemas. */
const withoutAjv = {
  name: 'without-ajv',
  resolveId: (id: string) => (id.endsWith('/validation/ajv-provider.js') ? '\0no-ajv' : null),
  load: (id: string) => (id === '\0no-ajv' ? 'export class AjvJsonSchemaValidator {}' : null),
};

export default defineConfig([
  {
    input: { 'cli/main': 'src/cli/main.ts', 'demo/claude': 'src/demo/claude/main.ts' },
    platform: 'node',
    external,
    output: { dir: 'dist', format: 'esm', chunkFileNames: 'chunks/[name]-[hash].js', cleanDir: true },
  },
  {
    // Claude Code starts one of these per session, so it is a single small file (measured: starts 2.5x faster).
    input: { 'channel/main': 'src/channel/main.ts' },
    platform: 'node',
    external: [/^node:/],
    plugins: [withoutAjv],
    output: {
      dir: 'dist/channel',
      entryFileNames: 'main.js',
      format: 'esm',
      minify: true,
      codeSplitting: false,
    },
  },
]);
