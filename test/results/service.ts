import { execFile } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { freePort } from '../../bin/local/ports.ts';
import { DynamoDatabase } from '../../lib/store/dynamodb.ts';
import { tableClient } from '../../lib/store/table-client.ts';
import { description, launchService, temporaryDirectory } from '../support/process.ts';
import type { CountedDatabase } from './list.ts';

const run = promisify(execFile);

/** A local service that can be killed and started again at the same ports, with a token of its demo team. */
export async function prepareService() {
  const directory = temporaryDirectory();
  const ports = { PORT: await freePort(), DYNAMODB_PORT: await freePort(), SQS_PORT: await freePort() };
  const environment = Object.fromEntries(Object.entries(ports).map(([name, port]) => [name, `${port}`]));
  const launch = () => {
    return launchService({
      directory,
      persistent: true,
      environment: { ...environment, TOKEN_LIFETIME_SECONDS: '86400' },
    });
  };
  let process_ = launch();
  const local = await description(directory, process_.pid);
  const counted = { requests: 0, repeats: 0 };
  let token = '';

  /** Sends a request until it is done: what was lost is sent again. */
  // biome-ignore lint/suspicious/noExplicitAny: a response of any endpoint
  async function call(method: string, path: string, body?: object): Promise<any> {
    const headers = { 'content-type': 'application/json', ...(path.startsWith('/v1') && { authorization: token }) };
    for (;;) {
      counted.requests += 1;
      const sent = fetch(`${local.base_url}${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) });
      const [status, text] = await sent.then(
        async (response) => [response.status, await response.text()] as const,
        () => [undefined, ''] as const,
      );
      if (status !== undefined && status < 300) return text === '' ? undefined : JSON.parse(text);
      if (status !== undefined && status < 500 && status !== 429)
        throw new Error(`${method} ${path}: ${status} ${text}`);
      // The gateway refuses what is above the rate of a route.
      if (status !== 429) counted.repeats += 1;
      await sleep(status === 429 ? 1000 : 200);
    }
  }
  const { client_id, client_secret } = local;
  const issued = await call('POST', '/oauth2/token', { grant_type: 'client_credentials', client_id, client_secret });
  token = `Bearer ${issued.access_token}`;

  return {
    ...{ teamId: local.team_id, call, counted },
    fileOf: (value: object): string => {
      const file = join(directory, 'content.json');
      writeFileSync(file, JSON.stringify(value));
      return file;
    },
    // biome-ignore lint/suspicious/noExplicitAny: the output of any verb
    admin: async (...args: string[]): Promise<any> => {
      const env = { ...process.env, DATA_DIR: directory };
      const ran = run(process.execPath, ['bin/admin.ts', ...args, '--json'], { env, maxBuffer: 2 ** 28 });
      // With `--json`, the reason of a failure is on standard output.
      const { stdout } = await ran.catch((error) => Promise.reject(new Error(`${error.message}${error.stdout}`)));
      return JSON.parse(stdout);
    },
    /** The table of the service, which counts the read units. */
    database: (): Required<CountedDatabase> => {
      let units = 0;
      const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };
      const client = tableClient({ endpoint: local.dynamodb_endpoint, region: 'us-east-1', credentials });
      const onConsumed = ({ readUnits }: { readUnits: number }) => {
        units += readUnits;
      };
      return { database: new DynamoDatabase({ tableName: local.table_name, client, onConsumed }), units: () => units };
    },
    killAndStart: async () => {
      process_.kill('SIGKILL');
      await process_.exited;
      process_ = launch();
      await description(directory, process_.pid);
    },
    [Symbol.asyncDispose]: async () => {
      await process_.stop();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}
