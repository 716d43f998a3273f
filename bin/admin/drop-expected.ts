import { type Command, InvalidArgumentError, Option } from 'commander';
import { type DropKind, dropKinds } from '../../lib/domain/drop.ts';
import { type ExpectedFile, isHour, nextHour, stateOfExpected } from '../../lib/domain/expected-file.ts';
import { isTimeZone, timestamp } from '../../lib/domain/timestamp.ts';
import { FileRefused } from '../../lib/files/bytes.ts';
import { mappingOf } from '../../lib/files/mapping.ts';
import { now } from '../../lib/runtime/base.ts';
import { deleteExpectedFile, listExpectedFiles, saveExpectedFile } from '../../lib/store/expected-files.ts';
import { mapText } from '../import/mapping.ts';
import { CannotRun } from '../import/target.ts';
import { failure } from './failure.ts';
import type { Installation } from './installation.ts';
import { listDroppedFiles } from './operations/drop-box/list.ts';
import { countOption, percentOption } from './options.ts';
import { tableOf } from './text.ts';
import { noIds, verb } from './verb.ts';

type Name = { team: string; type: DropKind; by: string };
type Settings = { timeZone: string; maxRejected?: number; minRows?: number; map?: string; decimalComma?: boolean };

/** The map is stored with the progress of each file, which has to fit into an item. */
const maxMapBytes = 32 * 1024;

/** Verbs of `drop` about files that must arrive every day. */
export function registerExpected(drop: Command): void {
  verb<Name & Settings>(
    named(drop.command('expect'))
      .description(
        'Expect a file every day by an hour, and how it is read: an alarm goes off if it is missing, failed or not as expected',
      )
      .option('--time-zone <name>', 'the time zone of the hour, such as Europe/Prague', timeZoneOption, 'UTC')
      .option('--max-rejected <percent>', 'the largest share of rejected rows of a file, such as 5%', percentOption)
      .option('--min-rows <number>', 'the smallest number of rows of the files of a day together', countOption)
      .option('--map <file>', 'a JSON file that maps columns to fields, as for npm run import')
      .option('--decimal-comma', 'decimals in cells have a comma: 1234,50'),
    noIds,
    async (installation, { team, type, by, timeZone, ...settings }) => {
      await saveExpectedFile(installation.database, {
        ...{ team_id: team, type, by, time_zone: timeZone, inserted_at: timestamp(now()) },
        ...(await settingsOf(type, settings)),
        last_arrival_at: await lastArrival(installation, team, type),
      });
      const all = await listExpectedFiles(installation.database, team);
      const saved = shown(all.find((each) => each.type === type && each.by === by)!);
      return {
        value: saved,
        text: `A file of ${type} is expected every day by ${by} (${timeZone}), first by ${saved.next_at}.`,
      };
    },
  );

  verb<{ team?: string }>(
    drop
      .command('expected')
      .description('List the files that are expected every day, and which are missing, failed or not as expected')
      .option('--team <team_id>', 'only what this team must drop'),
    'reads',
    async ({ database }, { team }) => {
      const expected = (await listExpectedFiles(database, team)).map(shown);
      return { value: expected, text: tableOf(headings, expected.map(rowOf), 'No file is expected.') };
    },
  );

  verb<Name>(
    named(drop.command('unexpect')).description('Stop expecting a file; its alarm ends'),
    noIds,
    async ({ database }, { team, type, by }) => {
      if (!(await deleteExpectedFile(database, { team_id: team, type, by })))
        throw failure('not_found', `No file of ${type} is expected by ${by} from this team.`);
      return { value: { team_id: team, type, by }, text: `A file of ${type} by ${by} is no longer expected.` };
    },
  );
}

const named = (command: Command): Command =>
  command
    .requiredOption('--team <team_id>', 'the team that drops it')
    .addOption(new Option('--type <type>', 'the type of the file').choices(dropKinds).makeOptionMandatory())
    .requiredOption('--by <hour>', 'the hour of the day, such as 05:00', hourOption);

function hourOption(value: string): string {
  if (isHour(value)) return value;
  throw new InvalidArgumentError('It must be an hour from 00:00 to 23:59, such as 05:00.');
}

function timeZoneOption(value: string): string {
  if (isTimeZone(value)) return value;
  throw new InvalidArgumentError('It must be the name of a time zone, such as Europe/Prague.');
}

async function settingsOf(
  type: DropKind,
  { maxRejected, minRows, map, decimalComma }: Omit<Settings, 'timeZone'>,
): Promise<Partial<ExpectedFile>> {
  return {
    ...(maxRejected === undefined ? {} : { max_rejected: maxRejected }),
    ...(minRows === undefined ? {} : { min_rows: minRows }),
    ...(map === undefined ? {} : { map: await checkedMap(type, map) }),
    ...(decimalComma ? { decimal_comma: true } : {}),
  };
}

/** @throws AdminFailure `invalid_arguments` with all errors of the map */
async function checkedMap(type: DropKind, path: string): Promise<string> {
  try {
    const text = await mapText(path);
    mappingOf(type, text);
    if (Buffer.byteLength(text) > maxMapBytes) throw new FileRefused('The mapping is larger than 32 KB.');
    return text;
  } catch (error) {
    if (!(error instanceof CannotRun || error instanceof FileRefused)) throw error;
    throw failure('invalid_arguments', error.message, '--map');
  }
}

/** A file that arrived shortly before it was expected must not count as missing. */
async function lastArrival({ database, dropBox }: Installation, team: string, type: DropKind): Promise<string | null> {
  const files = await listDroppedFiles({ database, files: dropBox(), now }, team, 100);
  return files.find((file) => file.type === type)?.received_at ?? null;
}

const shown = (expected: ExpectedFile) => ({
  team_id: expected.team_id,
  type: expected.type,
  by: expected.by,
  time_zone: expected.time_zone,
  max_rejected: expected.max_rejected ?? null,
  min_rows: expected.min_rows ?? null,
  map: expected.map === undefined ? null : JSON.parse(expected.map),
  decimal_comma: expected.decimal_comma ?? false,
  state: stateOfExpected(expected, now()),
  deviations: expected.verdict?.deviations ?? [],
  last_arrival_at: expected.last_arrival_at,
  next_at: timestamp(nextHour(expected, now())),
});

const headings = ['TEAM', 'TYPE', 'BY', 'TIME ZONE', 'STATE', 'LAST ARRIVAL', 'NEXT', 'NOT AS EXPECTED'];

const rowOf = (file: ReturnType<typeof shown>): string[] => [
  file.team_id,
  file.type,
  file.by,
  file.time_zone,
  file.state,
  file.last_arrival_at ?? '',
  file.next_at,
  file.deviations.join('; '),
];
