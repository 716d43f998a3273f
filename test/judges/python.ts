import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { startService } from '../../bin/demo/service.ts';
import type { LocalDescription } from '../../bin/local/description.ts';

/**
 * The folder with the programs of a Python virtual environment with these packages (a requirements file). It is created
 * at the first run, outside the project, and kept for later runs. PYTHON sets another interpreter.
 */
export function pythonPrograms(requirements: string): string {
  const content = readFileSync(requirements);
  const cache = process.env.XDG_CACHE_HOME || join(homedir(), '.cache');
  const name = createHash('sha256').update(content).digest('hex').slice(0, 16);
  const directory = join(cache, 'onboarding-python', name);
  const programs = join(directory, 'bin');
  const finished = join(programs, 'pip-finished');
  if (existsSync(finished)) return programs;
  rmSync(directory, { recursive: true, force: true });
  const options = { stdio: ['ignore', 'inherit', 'inherit'] as ['ignore', 'inherit', 'inherit'] };
  execFileSync(process.env.PYTHON || 'python3', ['-m', 'venv', directory], options);
  execFileSync(join(programs, 'pip'), ['install', '--quiet', '--requirement', requirements], options);
  writeFileSync(finished, '');
  return programs;
}

/** Runs the work on a new service with `--memory`, in a folder that is deleted afterwards. */
export async function withOwnService<T>(work: (local: LocalDescription, directory: string) => Promise<T>): Promise<T> {
  const directory = mkdtempSync(join(tmpdir(), 'onboarding-python-'));
  const { local, release } = await startService(directory, '--memory');
  try {
    return await work(local, directory);
  } finally {
    await release();
    rmSync(directory, { recursive: true, force: true });
  }
}
