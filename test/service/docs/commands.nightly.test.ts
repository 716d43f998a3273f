import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { freePort } from '../../../bin/local/ports.ts';
import { pages } from '../../support/docs/pages.ts';
import { adminJson } from '../../support/service/admin.ts';
import { service } from '../../support/service/service.ts';
import { bin, expectToWork, programs, programsFolder, runOf } from './runs.ts';

const running = await service();

/** `blocks.test.ts` runs those of README.md. */
test.each(pages.filter((page) => page !== 'README.md' && runOf(page).length > 0))(
  'the commands of %s work, and answer what it says',
  (page) => expectToWork(page, running),
  180_000,
);

describe('the programs in the pages', () => {
  const [[receiver], others] = [true, false].map((isReceiver) =>
    programs.filter(({ kind }) => (kind === 'receiver') === isReceiver),
  ) as [typeof programs, typeof programs];
  let folder: Awaited<ReturnType<typeof programsFolder>>;

  beforeAll(async () => {
    folder = await programsFolder(running);
  });
  afterAll(() => folder.remove());

  test.each(others)('$place runs', async ({ file }) => {
    const {
      base_url: BASE_URL,
      client_id: CLIENT_ID,
      client_secret: CLIENT_SECRET,
    } = JSON.parse(
      await promisify(execFile)('cat', [join(folder.path, '.data/local.json')]).then(({ stdout }) => stdout),
    );
    const env = { ...process.env, BASE_URL, CLIENT_ID, CLIENT_SECRET };
    await promisify(execFile)(bin('node'), [file], { cwd: folder.path, env, timeout: 60_000 });
  });

  test('the receiver of webhooks accepts those with its secret, and no others', async () => {
    const { local } = running;
    const PORT = String(await freePort());
    const args = ['webhook', 'create', '--team', local.team_id, '--url', `http://127.0.0.1:${PORT}/`];
    const [own, other] = [(await adminJson(...args)).value, (await adminJson(...args)).value];
    const env = { ...process.env, WEBHOOK_SECRET: own.secret, PORT };
    const child = execFile(bin('node'), [receiver!.file], { cwd: folder.path, env });
    try {
      const statusOf = async ({ webhook_id }: { webhook_id: string }) =>
        (await adminJson('webhook', 'test', webhook_id)).value.status;
      while ((await statusOf(own)) === null) await new Promise((resolve) => setTimeout(resolve, 100));
      expect([await statusOf(own), await statusOf(other)]).toEqual([204, 400]);
    } finally {
      child.kill();
      for (const { webhook_id } of [own, other]) await adminJson('webhook', 'remove', webhook_id);
    }
  });
});
