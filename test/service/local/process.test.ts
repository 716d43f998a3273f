import { existsSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { lockDirectory } from '../../../bin/local/data-directory.ts';
import {
  launchService,
  type ServiceOptions,
  type ServiceProcess,
  temporaryDirectory,
} from '../../support/service/process.ts';
import { startService } from '../../support/service/service.ts';

let directory: string;
const launched: ServiceProcess[] = [];
beforeEach(() => {
  directory = temporaryDirectory();
});
afterEach(async () => {
  await Promise.all(launched.splice(0).map((each) => each.stop()));
  rmSync(directory, { recursive: true, force: true });
});

/** A service for this test in its own directory, stopped afterwards. */
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

/** Stops a service like a terminal or a supervisor does. */
async function expectCleanStop(process: ServiceProcess, signal: 'SIGINT' | 'SIGTERM'): Promise<void> {
  const before = Date.now();
  process.kill(signal);
  expect(await process.exited).toBe(0);
  // Less than a second, unless the machine stalls. A request to the queue lasts 20 seconds.
  expect(Date.now() - before).toBeLessThan(10_000);
  expect(existsSync(join(process.directory, 'local.json'))).toBe(false);
}

const isListening = (address: string) =>
  fetch(address).then(
    () => true,
    () => false,
  );

describe('a start that cannot succeed says in one line why', () => {
  it('the folder cannot be written', () => {
    const file = join(directory, 'file');
    writeFileSync(file, '');
    const message = /^The folder .* cannot be written \(ENOTDIR\)/;
    expect(() => lockDirectory(join(file, 'below'))).toThrow(message);
  });

  it('the folder cannot be made, although its parent is there and nothing is to be kept', async () => {
    const refused = launchService({ directory: '/proc/none' });
    await expectRefusal(refused, /^The folder \/proc\/none cannot be written/);
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
      webhook_queue_url: expect.stringMatching(/webhooks\.fifo$/),
      targeting_queue_url: expect.stringMatching(/targeting\.fifo$/),
      message_queue_url: expect.stringMatching(/messages\.fifo$/),
      messages_secret_file: expect.stringMatching(/messages-secret$/),
      messages_bucket: 'messages',
      message_sender: expect.stringMatching(/^file:.*outbox$/),
      table_name: expect.any(String),
      queue_url: expect.stringMatching(/\.fifo$/),
      dead_letter_queue_url: expect.stringMatching(/\.fifo$/),
      event_failure_queue_url: expect.stringMatching(/event-failures$/),
      event_epoch: '',
      request_log: expect.stringMatching(/failed-requests\.jsonl$/),
      drop_box_folder: expect.stringMatching(/drop-box$/),
      drop_box_endpoint: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
      drop_box_bucket: 'drop-box',
      image_bucket: 'images',
      erasures_folder: expect.stringMatching(/erasures$/),
      pid: process.pid,
    });
    const file = join(directory, 'local.json');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    // It writes the file first, then prints the message.
    await expect.poll(() => process.output()).toContain(`Listening on ${local.base_url}`);
    await expect.poll(() => process.output()).toContain('curl ');

    await expectRefusal(launchService({ directory }), /^Another local service uses/);
    expect(existsSync(file)).toBe(true);
    expect(await isListening(local.base_url)).toBe(true);

    await expectCleanStop(process, 'SIGINT');
    expect(await isListening(local.dynamodb_endpoint)).toBe(false);
    expect(readdirSync(directory)).toEqual(['lock']);
    expect(existsSync(local.drop_box_folder)).toBe(false);
  });
});

describe('a service that keeps its data', () => {
  const records = Array.from({ length: 1500 }, (_, index) => ({
    account_number: `A${index}`,
    product: { code: 'FREE', type: 'checking' },
  }));

  it('has it to itself, after a stop and after a kill, goes on with accepted imports, and takes its engine along', async () => {
    const before = process.umask(0o022);
    // An earlier run left these open to other users of the machine.
    for (const name of ['onboarding.db', 'lock']) writeFileSync(join(directory, name), '', { mode: 0o644 });
    const first = await start({ persistent: true });
    process.umask(before);
    expect(readdirSync(directory)).toEqual(expect.arrayContaining(['onboarding.db-wal', 'onboarding.db-shm']));
    const entries = readdirSync(directory, { recursive: true, encoding: 'utf8' });
    // A file that takes another's place has its temporary name only for a moment.
    const modes = entries.map((name) => [name, statSync(join(directory, name), { throwIfNoEntry: false })?.mode ?? 0]);
    expect(modes.filter(([, mode]) => Number(mode) & 0o077)).toEqual([]);
    expect(first.process.output()).not.toContain('cannot');
    const { clientId, clientSecret } = await first.newTeam();
    await expectCleanStop(first.process, 'SIGTERM');

    const second = await start({ persistent: true });
    expect(second.local).toMatchObject({
      client_id: first.local.client_id,
      client_secret: first.local.client_secret,
      team_id: first.local.team_id,
    });
    const body = { type: 'account', batch_id: 'nightly', records };
    const accepted = await second.request('POST', '/v1/batches', {
      body,
      token: await second.tokenFor(clientId, clientSecret),
    });
    expect(accepted.status).toBe(202);
    second.process.kill('SIGKILL');
    await second.process.exited;

    const third = await start({ persistent: true });
    await expect(third.tokenFor(first.local.client_id, first.local.client_secret)).resolves.toBeTypeOf('string');
    const token = await third.tokenFor(clientId, clientSecret);
    const status = async () => (await third.request('GET', '/v1/batches/nightly', { token })).body;
    await expect.poll(async () => (await status()).status, { interval: 100 }).toBe('completed');
    expect(await status()).toMatchObject({ chunks: { accepted: 3, completed: 3 }, records: { applied: 1500 } });
    expect(await isListening(second.local.dynamodb_endpoint)).toBe(false);
  });
});
