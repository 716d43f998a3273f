import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

export const projectFolder = fileURLToPath(new URL('../..', import.meta.url));

/** Runs the CDK of this project at the terminal. @returns true if it succeeded */
export function cdk(...args: string[]): boolean {
  const program = fileURLToPath(new URL('../../node_modules/aws-cdk/bin/cdk', import.meta.url));
  const { status } = spawnSync(process.execPath, [program, ...args], { cwd: projectFolder, stdio: 'inherit' });
  return status === 0;
}
