import { once } from 'node:events';
import { existsSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { launchService, type ServiceOptions, type ServiceProcess, temporaryDirectory } from '../support/process.ts';
import { startService } from '../support/service.ts';

let directory: string;
const launched: ServiceProcess[] = [];
beforeEach(() => {
  directory = temporaryDirectory();
});
afterEach(async () => {
  await Promise.all(launched.splice(0).map((each) => each.stop()));
  rmSync(directory, { recursive: true, force: true });
});

/** A service of this test's own on its directory, stopped after it. */
async function start(options: ServiceOptions) {
  const service = await startService({ directory, ...options });
  launched.push(service.process);
  return service;
}

async function expectRefusal(process: ServiceProcess, message: RegExp): Promise<void> {
  launched.push(process);
  expect(await process.exited).toBe(1);
  expect(process.output().trim().split('\n')).toEqual([expect.stringMatching(message)]);
}

/** Stops a service as a terminal or a supervisor does. */
async function expectCleanStop(process: ServiceProcess, signal: 'SIGINT' | 'SIGTERM'): Promise<void> {
  const before = Date.now();
  process.kill(signal);
  expect(await process.exited).toBe(0);
  expect(Date.now() - before).toBeLessThan(2000);
  expect(existsSync(join(process.directory, 'local.json'))).toBe(false);
}

const isListening = (address: string) =>
  fetch(address).then(
    () => true,
    () => false,
  );

describe('a start that cannot succeed says in one line why', () => {
  it.each([true, false])('the folder cannot be written, whether data is to be kept (%s)', async (persistent) => {
    const file = join(directory, 'file');
    writeFileSync(file, '');
    const refused = launchService({ directory: join(file, 'below'), persistent });
    await expectRefusal(refused, /^The folder .* cannot be written \(ENOTDIR\)/);
  });

  it('this platform has no engine', async () => {
    // The engine's package is looked for by the name of the processor.
    const script = `Object.defineProperty(process,'arch',{value:'none'})`;
    const environment = { NODE_OPTIONS: `--import=data:text/javascript,${script}`, DYNAMODB_ENDPOINT: '' };
    await expectRefusal(
      launchService({ directory, environment }),
      /add the package @dynoxide\/\w+-none .*DYNAMODB_ENDPOINT/,
    );
  });

  it('the database that was named does not answer', async () => {
    const environment = { DYNAMODB_ENDPOINT: 'http://127.0.0.1:9' };
    await expectRefusal(launchService({ directory, environment }), /^The database at .* \(ECONNREFUSED\)/);
  });

  it('the port is taken', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    await expectRefusal(launchService({ directory, environment: { PORT: String(port) } }), /^Port \d+ is taken/);
    other.close();
  });

  it('the settings are wrong, all of them named', async () => {
    const environment = { PORT: 'http', TOKEN_LIFETIME_SECONDS: '0' };
    await expectRefusal(
      launchService({ directory, environment }),
      /PORT: must be a whole number.*; TOKEN_LIFETIME_SECONDS:/,
    );
  });
});

describe('a service that keeps nothing', () => {
  it('says where it listens, has its folder to itself, and leaves nothing there but the lock', async () => {
    const { local, process } = await start({});
    expect(local).toEqual({
      base_url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
      client_id: expect.any(String),
      client_secret: expect.any(String),
      team_id: expect.any(String),
      dynamodb_endpoint: expect.stringMatching(/^http:/),
      sqs_endpoint: expect.stringMatching(/^http:/),
      table_name: expect.any(String),
      queue_url: expect.stringMatching(/\.fifo$/),
      dead_letter_queue_url: expect.stringMatching(/\.fifo$/),
      pid: process.pid,
    });
    const file = join(directory, 'local.json');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(process.output()).toContain(`Listening on ${local.base_url}`);
    expect(process.output()).toContain('curl ');

    await expectRefusal(launchService({ directory }), /^Another local service uses/);
    expect(existsSync(file)).toBe(true);
    expect(await isListening(local.base_url)).toBe(true);

    await expectCleanStop(process, 'SIGINT');
    expect(await isListening(local.dynamodb_endpoint)).toBe(false);
    expect(readdirSync(directory)).toEqual(['lock']);
  });
});

describe('a service that keeps its data', () => {
  it('has it after a stop and after a kill, and its engine goes with it', async () => {
    const first = await start({ persistent: true });
    const team = await first.newTeam();
    await expectCleanStop(first.process, 'SIGTERM');

    const second = await start({ persistent: true });
    const { client_id, client_secret } = second.local;
    expect({ client_id, client_secret }).toEqual({
      client_id: first.local.client_id,
      client_secret: first.local.client_secret,
    });
    await expect(second.tokenFor(team.clientId, team.clientSecret)).resolves.toBeTypeOf('string');
    second.process.kill('SIGKILL');
    await second.process.exited;

    const third = await start({ persistent: true });
    await expect(third.tokenFor(team.clientId, team.clientSecret)).resolves.toBeTypeOf('string');
    await expect(third.tokenFor(client_id, client_secret)).resolves.toBeTypeOf('string');
    await vi.waitFor(async () => expect(await isListening(second.local.dynamodb_endpoint)).toBe(false));
  });

  it('goes on after a kill with the import that it had just accepted', async () => {
    const first = await start({ persistent: true });
    const { clientId, clientSecret, token } = await first.newTeam();
    const records = Array.from({ length: 1500 }, (_, index) => ({
      account_number: `A${index}`,
      product: { code: 'FREE', type: 'checking' },
    }));
    const body = { type: 'account', batch_id: 'nightly', records };
    expect(await first.request('POST', '/v1/batches', { body, token })).toMatchObject({ status: 202 });
    first.process.kill('SIGKILL');
    await first.process.exited;

    const second = await start({ persistent: true });
    const again = await second.tokenFor(clientId, clientSecret);
    const status = async () => (await second.request('GET', '/v1/batches/nightly', { token: again })).body;
    await vi.waitFor(async () => expect(await status()).toMatchObject({ status: 'completed' }), {
      timeout: 15_000,
      interval: 100,
    });
    expect(await status()).toMatchObject({ chunks: { accepted: 3, completed: 3 }, records: { applied: 1500 } });
  }, 40_000);
});
