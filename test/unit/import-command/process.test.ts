import { randomUUID } from 'node:crypto';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { silence } from '../../../bin/import/progress.ts';
import { importFile } from '../../../bin/import/run.ts';
import { exitStatusOf, textOf } from '../../../bin/import/summary.ts';
import { faultProxy } from '../../support/aws/fault-proxy.ts';
import { atChunk, importSetting, journalOf, launchImporter } from '../../support/import-command/support.ts';

const { api, environment, directory } = await importSetting();

/** An import that is stopped when it first asks whether all that was accepted is applied. */
async function stoppedWhileApplying() {
  const file = join(directory, 'accepted.csv');
  writeFileSync(file, rows(600));
  const asked = new AbortController();
  const proxy = await faultProxy(api.baseUrl, () => {
    if (journalOf(file)?.totals.read === 600) asked.abort(new DOMException('interrupted', 'AbortError'));
    return undefined;
  });
  for (const [name, value] of Object.entries({ ...environment, ONBOARDING_BASE_URL: proxy.endpoint })) {
    vi.stubEnv(name, value);
  }
  try {
    const request = { kind: 'accounts' as const, file, dryRun: false, strict: false };
    const stop = { asked: asked.signal, now: new AbortController().signal };
    const summary = await importFile(request, silence, stop);
    return { summary, output: `${textOf(summary)}\n`, exit: exitStatusOf(summary) };
  } finally {
    vi.unstubAllEnvs();
    proxy.stop();
  }
}

const rows = (count: number) =>
  [
    'account_number,product.code,product.type',
    ...Array.from({ length: count }, (_, n) => `${randomUUID()}-${n},FREE,checking`),
  ].join('\n');

test('Ctrl-C finishes what is under way, and the same command goes on from there', async () => {
  const file = join(directory, 'accounts.csv');
  writeFileSync(file, rows(3000));
  const proxy = await faultProxy(
    api.baseUrl,
    atChunk(3, () => child.kill('SIGINT')),
  );
  onTestFinished(proxy.stop);
  // The proxy is the same service to the importer in both runs.
  const through = { ...environment, ONBOARDING_BASE_URL: proxy.endpoint };
  const { child, ended } = launchImporter(through, 'accounts', file);
  const { status, stdout } = await ended;
  expect(status).toBe(2);
  const stopped = JSON.parse(stdout);
  expect(stopped.status).toBe('interrupted');
  expect(stopped.rows.sent).toBe(stopped.rows.read);
  expect(journalOf(file)?.totals.read).toBe(stopped.rows.read);

  const again = await launchImporter(through, 'accounts', file).ended;
  expect(again.status).toBe(0);
  expect(JSON.parse(again.stdout).rows).toMatchObject({ read: 3000, sent: 3000, applied: 3000, repeated: 0 });
  expect(existsSync(`${file}.import.json`)).toBe(false);
});

test('Ctrl-C after the last chunk was accepted says so, and how to watch it', async () => {
  const { summary, output, exit } = await stoppedWhileApplying();
  expect(summary).toMatchObject({ status: 'accepted', rows: { read: 600, sent: 600 } });
  expect(exit).toBe(2);
  expect(output).toMatch(
    /All rows were sent and accepted: .*\n.*npm run admin -- batch show accounts-[0-9a-f]+ --watch\n/,
  );
});

test('standard input is a file like any other', async () => {
  const content = rows(3);
  const piped = async () => {
    const { child, ended } = launchImporter(environment, 'accounts', '-');
    child.stdin?.end(content);
    return JSON.parse((await ended).stdout);
  };
  const first = await piped();
  expect(first).toMatchObject({ status: 'completed', rows: { read: 3, applied: 3, repeated: 0 } });
  expect(await piped()).toMatchObject({ batch_id: first.batch_id, rows: { read: 3, repeated: 3 } });
});
