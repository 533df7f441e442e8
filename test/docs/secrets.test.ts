// The page of secrets has what is found of every kind that others publish, and nothing else.
import { expect, test } from 'vitest';
import { kindOf } from '../secrets/kind-of.ts';
import {
  gitleaks,
  gitleaksVersion,
  others,
  type PublishedKind,
  secretlint,
  secretlintVersion,
} from '../secrets/published-kinds.ts';
import { page, rows } from './pages.ts';

const { text } = page('docs/reference/secrets.md');

const wanted = (list: readonly PublishedKind[]): string[][] =>
  list.map((each) => [`\`${each.rule}\``, each.sample ? (kindOf(each) ?? '') : '—', each.why ?? '']);

test.each([
  [`Kinds of gitleaks ${gitleaksVersion}`, gitleaks],
  [`Kinds of secretlint ${secretlintVersion}`, secretlint],
  ['Other kinds', others],
])('%s', (heading, list) => {
  const [, ...listed] = rows(text, heading);
  expect(listed).toEqual(wanted(list));
});
