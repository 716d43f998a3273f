import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startService } from './demo/service.ts';
import { recordedExchanges } from './examples/scenario.ts';

/** Records the examples of the OpenAPI document from a service that is started for it. */
const file = fileURLToPath(new URL('../examples/exchanges.json', import.meta.url));
const directory = mkdtempSync(join(tmpdir(), 'onboarding-examples-'));
const { local, release } = await startService(directory, '--memory');
try {
  const exchanges = await recordedExchanges(local);
  writeFileSync(file, `${JSON.stringify(exchanges, undefined, 2)}\n`);
  console.log(`${exchanges.length} exchanges written to ${file}`);
} finally {
  await release();
  rmSync(directory, { recursive: true, force: true });
}
