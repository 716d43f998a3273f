import { spawnSync } from 'node:child_process';

/** `node test/judges/all.ts`: what takes too long for `npm test`, one after another. Exit status 1 if one of them failed. */
const commands = [
  'LONG_FORM=1 npx vitest run',
  'node test/laws/imports/run.ts --schedules 50000',
  'node test/laws/erasure-proof/run.ts --contacts 2000',
  'node test/laws/results/run.ts',
  'node test/judges/attack/run.ts',
  'node test/judges/amazon-engine/run.ts',
  'node test/judges/schemathesis/run.ts',
  'node test/judges/python-clients/run.ts',
];

const failed = commands.filter((command) => {
  console.log(`\n${command}`);
  return spawnSync(command, { shell: true, stdio: 'inherit' }).status !== 0;
});
for (const command of failed) console.log(`${command} failed.`);
if (failed.length > 0) process.exitCode = 1;
