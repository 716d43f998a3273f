import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { npm, projectWithClient } from '../support/client-package.ts';

/**
 * `node test/webpack/run.ts`: webpack bundles the installed client for browsers and for workers. webpack is installed in a
 * temporary folder: with its 63 packages (38 MB) it is too large for a development dependency of one test.
 */
const webpackVersion = '5.112.2';
const maxBytes = 6_000;

const program = (target: string) => `import webpack from 'webpack';
const options = { mode: 'production', target: '${target}', entry: './entry.mjs', output: { filename: '${target}.js' } };
webpack(options, (error, stats) => {
  if (error || stats.hasErrors() || stats.hasWarnings()) throw error ?? new Error(stats.toString());
});
`;

const directory = mkdtempSync(join(tmpdir(), 'onboarding-webpack-'));
try {
  const project = await projectWithClient(directory);
  await npm(['install', '--no-audit', '--no-fund', '--ignore-scripts', `webpack@${webpackVersion}`], project);
  writeFileSync(
    join(project, 'entry.mjs'),
    "import { OnboardingClient } from 'onboarding-client';\nself.client = OnboardingClient;",
  );
  for (const target of ['web', 'webworker']) {
    writeFileSync(join(project, `${target}.mjs`), program(target));
    execFileSync(process.execPath, [`${target}.mjs`], { cwd: project, stdio: 'inherit' });
    const bytes = gzipSync(readFileSync(join(project, 'dist', `${target}.js`)), { level: 9 }).length;
    console.log(`${target}: ${bytes} bytes compressed`);
    if (bytes > maxBytes) throw new Error(`more than ${maxBytes} bytes`);
  }
} finally {
  rmSync(directory, { recursive: true });
}
