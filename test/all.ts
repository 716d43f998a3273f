import { spawnSync } from 'node:child_process';

/** `npm run test:all`: what takes too long for `npm test`, one after another. Exit status 1 if one of them failed. */
const commands = [
  ['test:only', '--project', 'nightly'],
  ['chaos'],
  ['attack'],
  ['test:amazon-engine'],
  ['test:emulator'],
  ['test:schemathesis'],
  ['mutate', 'lib/domain'],
];

const failed = commands.filter(([name, ...options]) => {
  console.log(`\nnpm run ${name} ${options.join(' ')}`);
  return spawnSync('npm', ['run', name!, '--', ...options], { stdio: 'inherit' }).status !== 0;
});
for (const [name] of failed) console.log(`npm run ${name} failed.`);
if (failed.length > 0) process.exitCode = 1;
