import { execFileSync } from 'node:child_process';
import { copyFileSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { writeClientTypes } from './client-types.ts';

/**
 * `npm run client:build`: the client as the package that partners install, with JavaScript, declarations and source
 * maps. The folder `client/` itself contains the sources, which the service's own programs import.
 */
const root = fileURLToPath(new URL('..', import.meta.url));
const source = join(root, 'client');
const compiler = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin/tsc');

export async function buildClient(folder: string): Promise<void> {
  await writeClientTypes();
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const options = ['-p', join(source, 'tsconfig.build.json'), '--outDir', join(folder, 'dist')];
  execFileSync(process.execPath, [compiler, ...options], { stdio: 'inherit' });
  for (const file of globSync('dist/*.d.ts', { cwd: folder })) namesCompiledFiles(join(folder, file));
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(packageManifest(), undefined, 2)}\n`);
  writeFileSync(join(folder, 'README.md'), withoutLinksOutside(readFileSync(join(source, 'README.md'), 'utf8')));
  copyFileSync(join(source, 'CHANGELOG.md'), join(folder, 'CHANGELOG.md'));
  copyFileSync(join(root, 'LICENSE'), join(folder, 'LICENSE'));
}

/** The compiler changes the extension of an imported file in JavaScript, but not in declarations. */
function namesCompiledFiles(file: string): void {
  writeFileSync(file, readFileSync(file, 'utf8').replace(/(['"]\.\/[\w-]+)\.ts(?=['"])/g, '$1.js'));
}

function packageManifest(): object {
  const { name, version, description, license, type } = JSON.parse(readFileSync(join(source, 'package.json'), 'utf8'));
  return {
    ...{ name, version, description, license, type },
    engines: { node: '>=20' },
    sideEffects: false,
    exports: { '.': { types: './dist/index.d.ts', default: './dist/index.js' }, './package.json': './package.json' },
    files: ['dist', 'CHANGELOG.md'],
  };
}

/** The package does not contain the pages of the repository. */
const withoutLinksOutside = (markdown: string): string => markdown.replace(/\[([^\]]+)\]\(\.\.\/[^)]*\)/g, '$1');

if (import.meta.main) {
  const folder = resolve(process.argv[2] ?? join(root, 'dist/onboarding-client'));
  await buildClient(folder);
  console.log(`The package is in ${folder}. To make a tarball of it: npm pack ${folder}`);
}
