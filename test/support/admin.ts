import { inject, vi } from 'vitest';
import { runAdmin } from '../../bin/admin/program.ts';

/** The command in this process: starting one for each call would take most of a second. */
export async function admin(args: string[], directory = inject('serviceDirectory')) {
  const written = { stdout: '', stderr: '' };
  const append = (stream: keyof typeof written) => (text: unknown) => {
    written[stream] += text;
    return true;
  };
  vi.spyOn(process.stdout, 'write').mockImplementation(append('stdout'));
  vi.spyOn(process.stderr, 'write').mockImplementation(append('stderr'));
  vi.spyOn(console, 'log').mockImplementation((line) => append('stdout')(`${line}\n`));
  vi.spyOn(console, 'error').mockImplementation((line) => append('stderr')(`${line}\n`));
  const { DATA_DIR: before } = process.env;
  process.env.DATA_DIR = directory;
  const status = await runAdmin(args);
  if (before === undefined) delete process.env.DATA_DIR;
  else process.env.DATA_DIR = before;
  vi.restoreAllMocks();
  return { status, ...written };
}

/** One JSON value is all that may be on standard output. */
export async function adminJson(...args: string[]) {
  const { stdout, status } = await admin([...args, '--json']);
  return { status, value: JSON.parse(stdout) };
}
