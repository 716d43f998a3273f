/**
 * The CPU time that this thread takes, in milliseconds. The threads that compile and collect garbage are left out: in a
 * process that test files share, they work for other tests too.
 */
export async function cpuOf(run: () => unknown): Promise<number> {
  const from = process.threadCpuUsage();
  await run();
  const { user, system } = process.threadCpuUsage(from);
  return (user + system) / 1000;
}
