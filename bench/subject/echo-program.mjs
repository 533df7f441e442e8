import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import makeServer from './echo-provider.mjs';

await makeServer().connect(new StdioServerTransport());
