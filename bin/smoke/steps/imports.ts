import { setTimeout as sleep } from 'node:timers/promises';
import { loadWork } from '../../../lib/store/import-work.ts';
import { expect, type FunctionId } from '../failure.ts';
import { acceptUnwoken, blockAccount, discardLost, failAccepted, loseRecords } from '../plant.ts';
import type { Step } from '../step.ts';
import type { World } from '../world.ts';

const worker = 'import-worker';
/** Seconds. The sweeper wakes no team earlier, so an import that is applied by then had its own wake. */
const wokenBySweeper = 10;
/** Seconds between two runs of the sweeper, and time for the import. */
const sweeperWait = 60 + wokenBySweeper + 20;

type Posted = { batchId: string; records: readonly object[] };

const product = { code: 'SMOKE', type: 'checking', name: 'Smoke checking' };

/** Records of the same two accounts, linked to a contact. */
export async function newRecords(
  world: World,
  balance: string,
  accounts: readonly [string, string] = newNumbers(world),
) {
  const { uniqueId } = await world.newPerson();
  const contact = { unique_id: uniqueId, role: 'primary' };
  return accounts.map((account_number) => ({ account_number, contact, product, balance }));
}

/** A new value that is not the `unique_id` of a contact. */
export function newName(world: World): string {
  const value = world.newUniqueId();
  world.people.delete(value);
  return value;
}

const newNumbers = (world: World): [string, string] => [newName(world), newName(world)];

async function post(world: World, { batchId, records }: Posted) {
  const body = { type: 'accounts', batch_id: batchId, chunk_index: 0, records };
  const { body: accepted } = await world.api('create-batch', { body });
  return accepted;
}

async function statusOf(world: World, batchId: string): Promise<string> {
  const { body } = await world.api('get-batch', { params: { batch_id: batchId } });
  return body.status;
}

/** Waits until the batch is completed. @throws StepFailure with the function that seems to have failed */
export async function applied(world: World, batchId: string, functionId: FunctionId, seconds?: number): Promise<void> {
  const look = async () => {
    const status = await statusOf(world, batchId);
    return status === 'processing' ? undefined : status;
  };
  const status = await world.until(look, 'the completion of the batch', functionId, seconds);
  expect(status === 'completed', `the batch is ${status}`, functionId);
}

/** Applies records. A wake that was not sent shows as a delay. */
async function apply(world: World, records: readonly object[], functionId: FunctionId): Promise<string> {
  const batchId = newName(world);
  const startedAt = Date.now();
  await post(world, { batchId, records });
  await applied(world, batchId, functionId);
  const seconds = Math.round((Date.now() - startedAt) / 1000);
  expect(
    seconds < wokenBySweeper,
    `the batch was applied only after ${seconds} seconds: no wake was sent`,
    'create-batch',
  );
  return batchId;
}

export const importSteps: readonly Step[] = [
  {
    name: 'apply new account records',
    function: worker,
    uses: {
      ...{ Read: [], Query: [], Delete: [], Consume: [] },
      Write: ['PartiQLInsert', 'PartiQLUpdate', 'UpdateItem', 'T#*'],
    },
    run: async (world) => void (await apply(world, await newRecords(world, '1520.75'), worker)),
  },
  {
    name: 'apply changed account records',
    function: worker,
    uses: { Read: [], Query: [], Write: ['PartiQLUpdate', 'T#*'] },
    async run(world) {
      const numbers = newNumbers(world);
      await apply(world, await newRecords(world, '1.00', numbers), worker);
      await apply(world, await newRecords(world, '2.00', numbers), worker);
    },
  },
  {
    name: 'try a failed attempt again after seconds',
    function: worker,
    uses: { Consume: ['ChangeMessageVisibility'] },
    async run(world) {
      const numbers = newNumbers(world);
      const records = await newRecords(world, '3.00', numbers);
      const unblock = await blockAccount(world, numbers[0]);
      const batchId = newName(world);
      try {
        await post(world, { batchId, records });
        const failedOnce = async () => ((await attempts(world)) > 0 ? true : undefined);
        await world.until(failedOnce, 'the first attempt', worker);
        await sleep(300);
      } finally {
        await unblock();
      }
      await applied(world, batchId, worker);
    },
  },
  {
    name: 'mark a chunk failed whose records are lost',
    function: worker,
    uses: { Write: ['PutItem', 'UpdateItem', 'T#*'], Delete: [] },
    async run(world) {
      const records = await newRecords(world, '3.50');
      const batchId = newName(world);
      await acceptUnwoken(world, batchId, records);
      await loseRecords(world, batchId);
      // The repetition only wakes the worker.
      await post(world, { batchId, records });
      const failed = async () => ((await statusOf(world, batchId)) === 'failed' ? true : undefined);
      await world.until(failed, 'the failure of the chunk', worker);
      await discardLost(world, batchId);
    },
  },
  {
    name: 'accept a chunk, and recognize its repetition',
    function: 'create-batch',
    uses: { Write: ['PartiQLInsert', 'PutItem', 'T#*'], Send: [] },
    async run(world) {
      const records = await newRecords(world, '4.00');
      const batchId = await apply(world, records, 'create-batch');
      const again = await post(world, { batchId, records });
      expect(again.duplicate && again.same_records, 'the repetition was not recognized', 'create-batch');
    },
  },
  {
    name: 'put a failed chunk back when its request is repeated',
    function: 'create-batch',
    uses: { Write: ['PutItem', 'UpdateItem', 'T#*'], Delete: [], Send: [] },
    async run(world) {
      const records = await newRecords(world, '5.00');
      const batchId = newName(world);
      await acceptUnwoken(world, batchId, records);
      await failAccepted(world, batchId);
      const again = await post(world, { batchId, records });
      expect(again.redriven, 'the failed chunk was not put back', 'create-batch');
      await applied(world, batchId, 'create-batch');
    },
  },
  {
    name: 'read a batch, and one of its chunks',
    function: 'get-batch',
    uses: { Query: ['T#*'], Read: [] },
    async run(world) {
      const batchId = await apply(world, await newRecords(world, '6.00'), 'get-batch');
      await world.api('get-batch', { params: { batch_id: batchId }, query: { chunk_index: '0' } });
    },
  },
  {
    name: 'find a batch by its id, and one of its chunks',
    function: 'find-batch',
    uses: { Query: ['T#*'], Read: [] },
    async run(world) {
      const batchId = await apply(world, await newRecords(world, '7.00'), 'find-batch');
      await world.api('find-batch', { query: { batch_id: batchId } });
      await world.api('find-batch', { query: { batch_id: batchId, chunk_index: '0' } });
    },
  },
  {
    name: 'list batches',
    function: 'find-batch',
    uses: { Directory: [] },
    async run(world) {
      const batchId = await apply(world, await newRecords(world, '8.00'), 'find-batch');
      const look = async () => {
        const { text } = await world.api('find-batch');
        return text.includes(batchId) ? true : undefined;
      };
      await world.until(look, 'the batch in the list', 'find-batch');
    },
  },
  {
    name: 'list the accounts of a contact',
    function: 'list-contact-accounts',
    uses: { Query: ['T#*'], Read: [] },
    async run(world) {
      const { id, uniqueId } = await world.newPerson();
      const record = {
        account_number: newName(world),
        contact: { unique_id: uniqueId, role: 'primary' },
        product,
        balance: '9.00',
      };
      await apply(world, [record], worker);
      const { text } = await world.api('list-contact-accounts', { params: { contact_id: id } });
      expect(text.includes(product.code), 'the account is not listed', 'list-contact-accounts');
    },
  },
  {
    name: 'wake a team whose wake was lost',
    function: 'import-sweeper',
    uses: { Query: [], Send: [] },
    skip: ({ reach }) =>
      reach.skipsSchedules && !reach.invoke ? `waits for the schedule, up to ${sweeperWait} seconds` : undefined,
    async run(world) {
      const batchId = newName(world);
      await acceptUnwoken(world, batchId, await newRecords(world, '10.00'));
      if (!world.reach.invoke) return applied(world, batchId, 'import-sweeper', sweeperWait);
      await world.reach.invoke('import-sweeper', { all: true });
      return applied(world, batchId, 'import-sweeper');
    },
  },
];

/** How often the current chunk of the team was attempted. */
async function attempts({ installation, teamId }: World): Promise<number> {
  const { state } = await loadWork(installation.database, teamId, 1);
  return state.attempt?.count ?? 0;
}
