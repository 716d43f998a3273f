import { execFile } from 'node:child_process';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';

/** Milliseconds: CPU time of the process, user and system, and the time that it takes. */
export type Phase = { cpu: number; wall: number };

/** Without a variable for which Node reads certificates. Lambda does not set it, and it adds time to every load. */
const { NODE_EXTRA_CA_CERTS: _, ...env } = process.env;

/** Loads a bundle in a new process, and then handles the event with it, if there is one. @throws Error if that fails */
export async function runOnce(
  file: string,
  event?: object,
  environment: Record<string, string> = {},
): Promise<{ load: Phase; first: Phase & { status: number } }> {
  const script = `
    const phase = async (work) => {
      const [used, started] = [process.cpuUsage(), performance.now()];
      const result = await work();
      const wall = performance.now() - started;
      const { user, system } = process.cpuUsage(used);
      return { cpu: (user + system) / 1000, wall, status: result?.statusCode, handler: result?.handler };
    };
    const { handler, ...load } = await phase(() => import(${JSON.stringify(pathToFileURL(file).href)}));
    const context = { functionName: 'bench', awsRequestId: 'bench', getRemainingTimeInMillis: () => 30000 };
    const event = ${JSON.stringify(event ?? null)};
    const first = await phase(() => event && handler(event, context));
    console.log(JSON.stringify({ load, first }));
    process.exit();`;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', script], {
    env: { ...env, ...environment },
  });
  return JSON.parse(stdout.trim().split('\n').at(-1)!) as Awaited<ReturnType<typeof runOnce>>;
}
