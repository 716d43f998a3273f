import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { stages } from '../../infra/stages.ts';
import { pythonPrograms } from '../support/python.ts';

/**
 * `node test/cfn-lint/run.ts`: checks the templates of all stages with cfn-lint of AWS, which knows the schemas of all resources.
 * Exit status 1 for a finding. Python is needed for this command alone; PYTHON sets another interpreter.
 */
const leftOut: Record<string, string> = {
  W3005: 'The CDK writes the dependency of a resource on its role explicitly, although CloudFormation would find it.',
};

const python = process.env.PYTHON || 'python3';
if (spawnSync(python, ['-c', 'import venv, ensurepip']).status !== 0) {
  console.error(
    `node test/cfn-lint/run.ts needs Python 3 with venv, and ${python} does not start or lacks it. PYTHON sets another one.`,
  );
  process.exit(1);
}

/** Synthesizes the stages into subdirectories. Returns the paths of the templates. */
function templates(directory: string): string[] {
  execFileSync('npm', ['run', '--silent', 'build'], { stdio: 'inherit' });
  return Object.keys(stages).flatMap((stage) => {
    const out = join(directory, stage);
    execFileSync('npx', ['cdk', 'synth', '--quiet', '-c', `stage=${stage}`, '-c', 'bundle=false', '--output', out], {
      stdio: 'pipe',
    });
    return readdirSync(out).flatMap((name) => (name.endsWith('.template.json') ? [join(out, name)] : []));
  });
}

const programs = pythonPrograms(fileURLToPath(new URL('requirements.txt', import.meta.url)));
const directory = mkdtempSync(join(tmpdir(), 'onboarding-cfn-lint-'));
try {
  const paths = templates(directory);
  const checked = spawnSync(join(programs, 'cfn-lint'), ['--ignore-checks', ...Object.keys(leftOut), '--', ...paths], {
    stdio: 'inherit',
  });
  for (const [check, reason] of Object.entries(leftOut)) console.log(`left out: ${check}. ${reason}`);
  console.log(`${paths.length} templates of ${Object.keys(stages).length} stages checked`);
  process.exitCode = checked.status === 0 ? 0 : 1;
} finally {
  rmSync(directory, { recursive: true, force: true });
}
