import { OnboardingClient } from '../../client/index.ts';
import { benchRecord } from '../records.ts';

/** Imports new records one batch after another, until it is killed. */
const [baseUrl = '', clientId = '', clientSecret = ''] = process.argv.slice(2);
const client = new OnboardingClient({ baseUrl, clientId, clientSecret });
for (let batch = 0; ; batch++) {
  const batchId = `waits-${process.pid}-${batch}`;
  const records = Array.from({ length: 5000 }, (_, n) => benchRecord(`${batchId}-${n}`));
  await client.batches.upload(records, { batchId, atOnce: 4 });
  while ((await client.batches.get(batchId)).status === 'processing') {
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
