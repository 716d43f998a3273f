import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { addOnboarding } from '../../../infra/app.ts';
import { type SettingsInput, settingsOf } from '../../../infra/settings.ts';
import { stages } from '../../../infra/stages.ts';
import { testApp } from '../../support/infra/synthesized.ts';
import { pythonPrograms } from '../python.ts';

/**
 * `node test/judges/cfn-lint/run.ts`: checks the templates of all stages, in three partitions, with and without CloudFront, a VPC
 * and a customer-managed key, with cfn-lint of AWS, which knows the schemas of all resources. Exit status 1 for a finding.
 * Python is needed for this command alone; PYTHON sets another interpreter.
 */
const leftOut: Record<string, string> = {
  W3005: 'The CDK writes the dependency of a resource on its role explicitly, although CloudFormation would find it.',
};
const regions = ['eu-central-1', 'cn-north-1', 'us-gov-west-1'];
const vpc = { subnets: ['subnet-0123456789abcdef0'], securityGroups: ['sg-0123456789abcdef0'] };

const python = process.env.PYTHON || 'python3';
if (spawnSync(python, ['-c', 'import venv, ensurepip']).status !== 0) {
  console.error(
    `node test/judges/cfn-lint/run.ts needs Python 3 with venv, and ${python} does not start or lacks it. PYTHON sets another one.`,
  );
  process.exit(1);
}

/** The settings of a stage as an institution in this region would have them. CloudFront is in the first partition alone. */
function settingsIn(region: string, stage: SettingsInput): SettingsInput[] {
  const { account: _, domain, edge, backups, ...plain } = stage;
  const here = { ...plain, region };
  const elsewhere = [
    { ...here, encryptionKey: 'none' as const },
    { ...here, encryptionKey: 'made' as const, vpc, fips: true },
  ];
  return region === regions[0] && domain && edge && backups
    ? [...elsewhere, { ...here, domain, edge, backups }]
    : elsewhere;
}

/** The paths of the templates, those of nested stacks included. */
function templatesOf(settings: SettingsInput): string[] {
  const { app, bundles, outdir } = testApp({ builtinCloudFormationValidation: false });
  addOnboarding(app, bundles, settingsOf({ test: settings }, 'test'));
  app.synth();
  return readdirSync(outdir).flatMap((name) => (name.endsWith('template.json') ? [join(outdir, name)] : []));
}

const programs = pythonPrograms(fileURLToPath(new URL('requirements.txt', import.meta.url)));
for (const region of regions) {
  const paths = Object.values(stages).flatMap((stage) => settingsIn(region, stage).flatMap(templatesOf));
  const options = ['--regions', region, '--ignore-checks', ...Object.keys(leftOut)];
  const { status } = spawnSync(join(programs, 'cfn-lint'), [...options, '--', ...paths], { stdio: 'inherit' });
  console.log(`${region}: ${paths.length} templates of ${Object.keys(stages).length} stages checked`);
  if (status !== 0) process.exitCode = 1;
}
for (const [check, reason] of Object.entries(leftOut)) console.log(`left out: ${check}. ${reason}`);
