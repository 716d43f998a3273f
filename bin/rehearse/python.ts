import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { CannotRun } from './cannot-run.ts';
import { must, run } from './processes.ts';

/** The emulator and what it needs for signatures, in exact versions. */
const packages = ['ministack==1.5.33', 'cryptography==50.0.2'] as const;
export const emulatorName = packages[0].replace('==', ' ');

const oldestPython = [3, 10] as const;

/**
 * The Python of a virtual environment with the emulator. It is made once, in the cache folder of the user.
 * @throws CannotRun if there is no Python, or the packages cannot be installed
 */
export async function emulatorPython(say: (text: string) => void): Promise<string> {
  const cache = process.env.XDG_CACHE_HOME || join(homedir(), '.cache');
  const folder = join(cache, 'onboarding-rehearsal', packages.join('-').replaceAll('==', '-'));
  const python = join(folder, 'bin', 'python');
  const done = join(folder, 'complete');
  if (existsSync(done)) return python;
  const system = await systemPython();
  say(`Installing ${packages.join(' and ')} in ${folder}`);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  await must('Making a virtual environment', system, ['-m', 'venv', folder]);
  await must('Installing the emulator', python, ['-m', 'pip', 'install', '--quiet', ...packages]);
  writeFileSync(done, '');
  return python;
}

async function systemPython(): Promise<string> {
  for (const name of ['python3', 'python']) {
    const { status, output } = await run(name, ['-c', 'import sys, venv; print(*sys.version_info[:2])']);
    const [major = 0, minor = 0] = output.trim().split(' ').map(Number);
    if (status === 0 && (major > oldestPython[0] || (major === oldestPython[0] && minor >= oldestPython[1])))
      return name;
  }
  const version = oldestPython.join('.');
  throw new CannotRun(`The rehearsal needs Python ${version} or newer with the module venv, and found none.`);
}
