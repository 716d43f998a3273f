import { text } from 'node:stream/consumers';
import type { DropReport } from '../../../lib/domain/drop.ts';
import { expect, type FunctionId, type Step } from '../step.ts';
import type { World } from '../world.ts';

const reader = 'drop-box-reader';
const reads = ['PartiQLInsert', 'PartiQLUpdate', 'T#*'];

/** Drops a file, and waits for its report. */
async function drop(world: World, name: string, content: string, functionId: FunctionId): Promise<DropReport> {
  const key = `${world.teamId}/${name}`;
  const files = world.installation.dropBox();
  await files.write(
    key,
    (async function* () {
      yield content;
    })(),
  );
  return world.until(() => reportOf(world, `${key}.report.json`), `the report of ${name}`, functionId);
}

async function reportOf({ installation }: World, key: string): Promise<DropReport | undefined> {
  const files = installation.dropBox();
  for await (const object of files.list(key)) {
    const bytes = await files.read(object.key, object.version);
    if (bytes) return JSON.parse(await text(bytes));
  }
  return undefined;
}

/** @throws StepFailure unless one row was accepted, and one rejected with a line in the file of rejected rows */
function expectRows({ status, reason, rows, rejected_file }: DropReport): void {
  expect(status === 'completed', `the file is ${status}: ${reason}`, reader);
  expect(rows.accepted === 1 && rows.rejected === 1, 'the rows were not accepted and rejected as expected', reader);
  expect(rejected_file, 'there is no file of rejected rows', reader);
}

const rejectedRow = 'WriteFiles';

export const dropBoxSteps: readonly Step[] = [
  {
    name: 'read a dropped file of accounts',
    function: reader,
    uses: {
      ...{ Read: [], Query: [], Write: ['PutItem', 'UpdateItem', ...reads], Send: [], Consume: [] },
      ...{ ReadFiles: ['*/accounts/*', 'work/*'], [rejectedRow]: ['*.report.json', '*.rejected.csv', 'work/*'] },
    },
    async run(world) {
      const number = world.newUniqueId();
      world.people.delete(number);
      const rows = [
        'account_number,product.code,product.type,balance',
        `${number},SMOKE,checking,1.00`,
        ',,,not a number',
      ];
      expectRows(await drop(world, `accounts/${number}.csv`, `${rows.join('\n')}\n`, reader));
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
      const people = await world.api('list-contacts', { query: { search: unique_id } });
      expect(people.status === 200, 'the contacts cannot be listed', 'list-contacts');
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
