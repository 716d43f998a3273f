import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import type { DropReport } from '../../../lib/domain/drop.ts';
import { timestamp } from '../../../lib/domain/timestamp.ts';
import { deleteExpectedFile, listExpectedFiles, saveExpectedFile } from '../../../lib/store/expected-files.ts';
import { expect, type FunctionId } from '../failure.ts';
import type { Step } from '../step.ts';
import type { World } from '../world.ts';

const reader = 'drop-box-reader';
const reads = ['PartiQLInsert', 'PartiQLUpdate', 'T#*'];

/** Drops a file, and waits for its report. */
async function drop(world: World, name: string, content: string, functionId: FunctionId): Promise<DropReport> {
  const key = await writeFile(world, name, content);
  return reported(world, key, functionId);
}

/** @returns the key of the file */
export async function writeFile({ teamId, installation }: World, name: string, content: string): Promise<string> {
  const key = `${teamId}/${name}`;
  await installation.dropBox().write(key, Readable.from([content]));
  return key;
}

/** Waits for the report of a file. */
export const reported = (world: World, key: string, functionId: FunctionId, seconds?: number): Promise<DropReport> =>
  world.until(() => reportOf(world, `${key}.report.json`), 'the report of the dropped file', functionId, seconds);

async function reportOf({ installation }: World, key: string): Promise<DropReport | undefined> {
  const files = installation.dropBox();
  for await (const object of files.list(key)) {
    const bytes = await files.read(object.key, object.version);
    if (bytes) return JSON.parse(await text(bytes));
  }
  return undefined;
}

/** A file with one account and one invalid row. */
export function accountsFile(number: string): string {
  const rows = ['account_number,product.code,product.type,balance', `${number},SMOKE,checking,1.00`, ',,,not a number'];
  return `${rows.join('\n')}\n`;
}

function dropAccounts(world: World): Promise<DropReport> {
  const number = randomUUID();
  return drop(world, `accounts/${number}.csv`, accountsFile(number), reader);
}

/** @throws StepFailure unless one row was accepted, and one rejected with a line in the file of rejected rows */
export function expectRows({ status, reason, rows, rejected_file }: DropReport): void {
  expect(status === 'completed', `the file is ${status}: ${reason}`, reader);
  expect(rows.accepted === 1 && rows.rejected === 1, 'the rows were not accepted and rejected as expected', reader);
  expect(rejected_file, 'there is no file of rejected rows', reader);
}

export const dropBoxSteps: readonly Step[] = [
  {
    name: 'read a dropped file of accounts',
    function: reader,
    uses: {
      ...{ Read: [], Query: [], Write: ['PutItem', ...reads], Send: [], Consume: [] },
      ReadFiles: ['GetObject', 'GetObjectVersion', '*/accounts/*', 'work/*'],
      WriteFiles: ['*.report.json', '*.rejected.csv', 'work/*'],
    },
    run: async (world) => expectRows(await dropAccounts(world)),
  },
  {
    name: 'record that an expected file arrived',
    function: reader,
    uses: { Write: ['PartiQLUpdate', 'EXPECTED'] },
    async run(world) {
      const { teamId, installation } = world;
      const { database } = installation;
      const expected = { team_id: teamId, type: 'accounts', by: '05:00', time_zone: 'UTC' } as const;
      await saveExpectedFile(database, { ...expected, inserted_at: timestamp(Date.now()), last_arrival_at: null });
      try {
        expectRows(await dropAccounts(world));
        const [found] = await listExpectedFiles(database, teamId);
        expect(found?.last_arrival_at, 'the arrival was not recorded', reader);
      } finally {
        await deleteExpectedFile(database, expected);
      }
    },
  },
  {
    name: 'read a file of accounts after an earlier chunk',
    function: reader,
    uses: { Write: ['UpdateItem', 'T#*'] },
    async run(world) {
      // The first chunk of a team inserts the counter, each later one updates it.
      const product = { code: 'SMOKE', type: 'checking' };
      await world.api('create-batch', {
        body: { type: 'accounts', records: [{ account_number: randomUUID(), product }] },
      });
      expectRows(await dropAccounts(world));
    },
  },
  {
    name: 'read a dropped file of contacts that start journeys',
    function: reader,
    uses: { ReadFiles: ['*/contacts/*', 'work/*'], Write: ['PutItem', 'S#*', ...reads] },
    async run(world) {
      const unique_id = world.newUniqueId();
      const journey = { template_id: world.content.ids.open };
      const rows = [
        { unique_id, journey },
        { unique_id: '', name_first: 'Nobody' },
      ];
      const lines = rows.map((row) => `${JSON.stringify(row)}\n`).join('');
      expectRows(await drop(world, `contacts/${unique_id}.ndjson`, lines, reader));
    },
  },
  {
    name: 'forward the notice of a dropped file',
    function: 'drop-box-notice',
    uses: { Forward: [], Consume: [] },
    async run(world) {
      const unique_id = world.newUniqueId();
      const { status } = await drop(world, `contacts/${unique_id}.csv`, `unique_id\n${unique_id}\n`, 'drop-box-notice');
      expect(status === 'completed', `the file is ${status}`, reader);
    },
  },
];
