// What a published package must say and only its owner knows. npm runs this before `npm publish`, and publishes nothing when it fails.
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';

const file = resolve(import.meta.dirname, '../package.json');
const manifest = JSON.parse(readFileSync(process.argv[2] ?? file, 'utf8')) as Record<string, unknown>;
const missing = ['repository', 'homepage', 'bugs', 'author'].filter((field) => !manifest[field]);
if (missing.length > 0) {
  process.stderr.write(
    `package.json does not say: ${missing.join(', ')}. Nothing was published.\n` +
      'Fill these in: npm shows them, and provenance needs the repository to be the one that the workflow runs in.\n',
  );
  process.exitCode = 1;
}
