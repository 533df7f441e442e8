import { readFileSync } from 'node:fs';
import { CliError } from '../cli-error.ts';
import { type Page, pages } from '../docs/pages.ts';
import { exitCodes } from '../exit-codes.ts';
import { nearest } from '../nearest.ts';
import { print, printJson } from '../output/out.ts';
import { table } from '../output/table.ts';
import { rulerFor } from '../text/ruler.ts';

/**
 * The documentation of this very release: a list of its pages, or one of them. A terminal gets it laid out, page by page;
 * a pipe gets the Markdown as it is.
 * @throws CliError `unknown_page`
 */
export async function docs(name: string | undefined, { json }: { json: boolean }): Promise<number> {
  const all = pages();
  if (name === undefined) {
    if (json) printJson(all.map(({ name: page, title, file }) => ({ page, title, file })));
    else {
      const rows = all.map(({ name: page, title }) => [page, title]);
      print(table(['page', 'about'], rows, await rulerFor(rows.flat())));
    }
    return exitCodes.ok;
  }
  const found = pageOf(name, all);
  const text = readFileSync(found.file, 'utf8');
  if (json) printJson({ page: found.name, title: found.title, file: found.file, text });
  else if (process.stdout.isTTY) await (await import('../docs/show.ts')).show(text);
  else print(text.trimEnd());
  return exitCodes.ok;
}

/** Also as it is named on disk and in a link: `guides/vault.md`. */
function pageOf(name: string, all: readonly Page[]): Page {
  const wanted = name.replace(/^.*\//, '').replace(/\.md$/, '').toLowerCase();
  const found = all.find((page) => page.name === wanted);
  if (found) return found;
  const near = nearest(
    wanted,
    all.map((page) => page.name),
  );
  throw new CliError(
    'not_found',
    'unknown_page',
    `No page of the documentation is called "${name}".`,
    near ? `Did you mean ${near}?` : 'All of them: synthesis docs',
  );
}
