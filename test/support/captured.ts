import { vi } from 'vitest';

/** Runs a command in this process, which is faster than a new process, and captures its output. */
export async function captured(run: () => Promise<number>) {
  const written = { stdout: '', stderr: '' };
  const append = (stream: keyof typeof written) => (text: unknown) => {
    written[stream] += text;
    return true;
  };
  const spies = [
    vi.spyOn(process.stdout, 'write').mockImplementation(append('stdout')),
    vi.spyOn(process.stderr, 'write').mockImplementation(append('stderr')),
    vi.spyOn(console, 'log').mockImplementation((line) => append('stdout')(`${line}\n`)),
    vi.spyOn(console, 'error').mockImplementation((line) => append('stderr')(`${line}\n`)),
  ];
  try {
    return { status: await run(), ...written };
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
}
