import type { BundledPackage } from './bundled-packages.ts';

/** What this needs of package-lock.json (version 3). */
export interface Lockfile {
  packages: Record<string, LockedPackage>;
}

interface LockedPackage {
  name?: string;
  version?: string;
  license?: string;
  integrity?: string;
  optional?: boolean;
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
}

/**
 * A software bill of materials, CycloneDX 1.6: what is built in, and what npm installs beside it. `npm sbom` knows of
 * the latter only. Without a time and a serial number, so that the same commit has the same bill.
 * Source: https://cyclonedx.org/docs/1.6/json/
 */
export function billOfMaterials(bundled: readonly BundledPackage[], lock: Lockfile): object {
  const own = lock.packages[''] ?? {};
  const component = { type: 'application', ...identity(own.name ?? '', own), 'bom-ref': own.name };
  const builtIn = bundled.map(({ name, version, license }) =>
    library(name, { ...locked(lock, name, version), version, license }, 'built in'),
  );
  const installed = reachable(lock, needed(own)).map((name) =>
    library(name, lock.packages[`node_modules/${name}`] ?? {}, 'installed beside it'),
  );
  const components = [...builtIn, ...installed];
  return {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: { component },
    components,
    dependencies: [
      { ref: own.name, dependsOn: [...builtIn, ...directly(installed, own)].map((each) => each['bom-ref']) },
      ...installed.map((each) => ({
        ref: each['bom-ref'],
        dependsOn: directly(installed, lock.packages[`node_modules/${each.name}`] ?? {}).map(
          (inner) => inner['bom-ref'],
        ),
      })),
    ],
  };
}

type Library = ReturnType<typeof library>;

const needed = (each: LockedPackage): string[] =>
  Object.keys({ ...each.dependencies, ...each.optionalDependencies });

const directly = (installed: readonly Library[], each: LockedPackage): Library[] =>
  installed.filter(({ name }) => needed(each).includes(name));

/** The names that are installed for these, and for what they need, in the order in which they are met. */
function reachable(lock: Lockfile, names: readonly string[]): string[] {
  const met = new Set(names);
  for (const name of met)
    for (const inner of needed(lock.packages[`node_modules/${name}`] ?? {})) met.add(inner);
  return [...met];
}

/** A package may be installed in several versions, one inside of another. */
const locked = (lock: Lockfile, name: string, version: string): LockedPackage =>
  Object.entries(lock.packages).find(
    ([path, each]) => path.endsWith(`node_modules/${name}`) && each.version === version,
  )?.[1] ?? {};

function library(name: string, { license, integrity, optional, ...rest }: LockedPackage, how: string) {
  const id = identity(name, rest);
  return {
    type: 'library',
    ...id,
    'bom-ref': `${id.purl}#${how.replaceAll(' ', '-')}`,
    scope: optional ? 'optional' : 'required',
    ...(license ? { licenses: [{ expression: license }] } : {}),
    ...(integrity ? { hashes: [hash(integrity)] } : {}),
    properties: [{ name: 'synthesis:how', value: how }],
  };
}

/** As `npm sbom` says it: of the package as it is published. */
function hash(integrity: string) {
  const [algorithm = '', digest = ''] = integrity.split('-');
  return {
    alg: algorithm.toUpperCase().replace('SHA', 'SHA-'),
    content: Buffer.from(digest, 'base64').toString('hex'),
  };
}

const identity = (name: string, { version = '' }: LockedPackage) => ({
  name,
  version,
  purl: `pkg:npm/${name.replace('@', '%40')}@${version}`,
});
