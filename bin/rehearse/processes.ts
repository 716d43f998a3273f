import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { once } from 'node:events';

/** The rehearsal cannot run here. The message is for the operator. */
export class CannotRun extends Error {}

/** Characters of the output that are kept for an error message. */
const keptOutput = 4000;

export type Run = { status: number | null; output: string };

/** Runs a command to its end. The output is standard output and standard error together. */
export async function run(command: string, args: readonly string[], options: SpawnOptions = {}): Promise<Run> {
  const child = spawn(command, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  const keep = (part: Buffer) => {
    output += part;
  };
  child.stdout?.on('data', keep);
  child.stderr?.on('data', keep);
  const failed = once(child, 'error').then(([error]) => ({ status: null, output: String(error) }));
  const closed = once(child, 'close').then(([status]) => ({ status: status as number | null, output }));
  return Promise.race([failed, closed]);
}

/** Runs a command that must succeed. @throws CannotRun with the end of its output */
export async function must(what: string, command: string, args: readonly string[], options: SpawnOptions = {}) {
  const { status, output } = await run(command, args, options);
  if (status !== 0) throw new CannotRun(`${what} failed:\n${output.slice(-keptOutput)}`);
  return output;
}

/** Milliseconds until a process that does not stop is killed. */
const stopMilliseconds = 15_000;

/** Stops a process that was started detached, and all processes that it started. */
export async function stopGroup(child: ChildProcess): Promise<void> {
  const closed = child.exitCode === null && child.signalCode === null ? once(child, 'close') : undefined;
  if (closed) {
    child.kill('SIGTERM');
    const killing = setTimeout(() => child.kill('SIGKILL'), stopMilliseconds);
    await closed;
    clearTimeout(killing);
  }
  try {
    // Processes of functions that the emulator did not end.
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
  } catch {
    // None is left.
  }
}
