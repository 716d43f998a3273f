import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { must } from './processes.ts';

/** The emulator and what it needs for signatures, in exact versions. */
const packages = ['ministack==1.5.33', 'cryptography==50.0.2'] as const;
export const emulatorName = packages[0].replace('==', ' ');

const check = 'import sys, venv; assert sys.version_info >= (3, 10), sys.version';

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
  const system = process.env.PYTHON || 'python3';
  await must(`The search for Python 3.10 or newer with venv (${system})`, system, ['-c', check]);
  say(`Installing ${packages.join(' and ')} in ${folder}`);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  await must('Making a virtual environment', system, ['-m', 'venv', folder]);
  await must('Installing the emulator', python, ['-m', 'pip', 'install', '--quiet', ...packages]);
  writeFileSync(done, '');
  return python;
}
