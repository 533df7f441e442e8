import type { BundledPackage } from './bundled-packages.ts';

/**
 * THIRD_PARTY_NOTICES: whose code the built files hold besides ours, and on which terms.
 * @param mit the terms of MIT, for packages that are under it and forgot to bring them
 * @throws Error when there is no text for the terms of a package
 */
export function notices(packages: readonly BundledPackage[], mit: string): string {
  const head =
    'The files in this folder hold code of the packages below. Packages that npm installs beside them bring their own terms.';
  return `${[head, ...packages.map((each) => section(each, mit))].join(`\n\n${'-'.repeat(80)}\n\n`)}\n`;
}

function section({ name, version, license, author, texts }: BundledPackage, mit: string): string {
  const head = `${name} ${version} (${license})`;
  if (texts.length > 0) return [head, ...texts].join('\n\n');
  if (license !== 'MIT' || !author)
    throw new Error(`${name} is bundled, and its package has no text of its terms`);
  const why = 'Its package names this license and its author, and holds no text of it; this is the text.';
  return [head, why, `Author: ${author}`, mit].join('\n\n');
}
