import { Session } from 'node:inspector/promises';
import type { LocalDescription } from '../../bin/local/data-directory.ts';
import { eventOf, type Invocation } from '../functions/invocation.ts';

/** Calls a function many times, one call after the other, and prints the profile of its main thread. */
const [file, settings] = process.argv.slice(2) as [string, string];
const { invocation, local, calls } = JSON.parse(settings) as {
  invocation: Invocation;
  local: LocalDescription;
  calls: { warm: number; measured: number };
};

const { handler } = (await import(file)) as {
  handler(event: unknown, context: unknown): Promise<{ statusCode: number }>;
};
const session = new Session();
session.connect();
await session.post('Profiler.enable');
await session.post('Profiler.setSamplingInterval', { interval: 200 });

let sent = 0;
/** Each request names another contact, if its body names one. */
async function call(count: number): Promise<void> {
  for (let each = 0; each < count; each++) {
    const body = invocation.body?.replace('"#"', `"${process.pid}-${sent++}"`);
    const context = { awsRequestId: 'call', functionName: invocation.id, getRemainingTimeInMillis: () => 30_000 };
    const { statusCode } = await handler(eventOf({ ...invocation, ...(body && { body }) }, local.base_url), context);
    if (statusCode !== invocation.status) throw new Error(`${invocation.id} answered ${statusCode}`);
  }
}

await call(calls.warm);
await session.post('Profiler.start');
const before = process.cpuUsage();
await call(calls.measured);
const { user, system } = process.cpuUsage(before);
const { profile } = await session.post('Profiler.stop');
process.stdout.write(JSON.stringify({ profile, cpu_us: (user + system) / calls.measured }), () => process.exit());
