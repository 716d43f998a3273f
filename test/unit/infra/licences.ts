import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** An installed package that the functions, the commands or the client need. */
export type ProductionPackage = { name: string; version: string; licence: string };

/**
 * Licences (SPDX) that deployed packages may have: they allow use in a proprietary product without publishing its
 * source. Before you add one, ask the person who is responsible for licences.
 */
export const allowedLicences: readonly string[] = [
  '0BSD',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'BlueOak-1.0.0',
  'ISC',
  'MIT',
  'MIT-0',
];

type Locked = { version?: string; license?: string; link?: boolean; dev?: boolean; optional?: boolean };

/** Packages of the lockfile without those for development and for one platform. */
export function productionPackages(): ProductionPackage[] {
  const lockfile = fileURLToPath(new URL('../../../package-lock.json', import.meta.url));
  const { packages }: { packages: Record<string, Locked> } = JSON.parse(readFileSync(lockfile, 'utf8'));
  return Object.entries(packages)
    .filter(([path, { link, dev, optional }]) => path.includes('node_modules/') && !link && !dev && !optional)
    .map(([path, { version = '', license = 'unknown' }]) => ({
      name: path.split('node_modules/').at(-1) ?? path,
      version,
      licence: license,
    }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}
