import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Command } from './command.ts';
import { projectFolder } from './deploy/cdk.ts';
import { allowedLicences, productionPackages } from './sbom/licences.ts';

const command = new Command('node bin/sbom.ts')
  .description(
    'Writes a software bill of materials (CycloneDX) of the packages that are deployed, and prints each with its licence.',
  )
  .option('--output <file>', 'the file to write', 'sbom.json')
  .addHelpText('after', '\nExit status: 0, or 1 if a package has a licence that is not allowed.');

const { output } = command.parse().opts<{ output: string }>();

// npm, which also wrote the lockfile, knows the packages best. It is not one of them, so it is the one that runs this.
const npm = process.env.npm_execpath;
const [program, first] = npm ? [process.execPath, [npm]] : ['npm', []];
const options = [
  'sbom',
  '--sbom-format',
  'cyclonedx',
  '--sbom-type',
  'application',
  '--omit',
  'dev',
  '--omit',
  'optional',
];
const text = execFileSync(program, [...first, ...options], {
  cwd: projectFolder,
  encoding: 'utf8',
  maxBuffer: 100_000_000,
  stdio: ['ignore', 'pipe', 'ignore'],
});
writeFileSync(join(process.cwd(), output), text);

const packages = productionPackages();
const width = Math.max(...packages.map(({ name, version }) => `${name} ${version}`.length));
for (const { name, version, licence } of packages) console.log(`${`${name} ${version}`.padEnd(width)}  ${licence}`);
const refused = packages.filter(({ licence }) => !allowedLicences.includes(licence));
console.log(`\n${packages.length} packages, in ${output}. Not allowed: ${refused.length}.`);
for (const { name, licence } of refused) console.log(`${name} has the licence ${licence}.`);
process.exitCode = refused.length > 0 ? 1 : 0;
