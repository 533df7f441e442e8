import type { BundledPackage } from './bundled-packages.ts';

/** THIRD_PARTY_NOTICES: whose code the built files hold besides ours, and on which terms. */
export function notices(packages: readonly BundledPackage[]): string {
  const head =
    'The files in this folder hold code of the packages below. Packages that npm installs beside them bring their own terms.';
  return `${[head, ...packages.map(section)].join(`\n\n${'-'.repeat(80)}\n\n`)}\n`;
}

const section = ({ name, version, license, texts }: BundledPackage): string =>
  [
    `${name} ${version} (${license})`,
    ...(texts.length > 0 ? texts : ['Its package names this license and holds no text of it.']),
  ].join('\n\n');
