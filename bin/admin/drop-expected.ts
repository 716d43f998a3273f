import { type Command, InvalidArgumentError, Option } from 'commander';
import type { DropKind } from '../../lib/domain/drop.ts';
import { type ExpectedFile, isHour, nextHour } from '../../lib/domain/expected-file.ts';
import { isTimeZone } from '../../lib/domain/time-zone.ts';
import { timestamp } from '../../lib/domain/timestamp.ts';
import { expectedState } from '../../lib/operations/drop-box/expected.ts';
import { now } from '../../lib/runtime/base.ts';
import { deleteExpectedFile, listExpectedFiles, saveExpectedFile } from '../../lib/store/expected-files.ts';
import { failure } from './failure.ts';
import type { Installation } from './installation.ts';
import { listDroppedFiles } from './operations/drop-box/list.ts';
import { requireTeam } from './require-team.ts';
import { tableOf } from './text.ts';
import { noIds, verb } from './verb.ts';

type Name = { team: string; type: DropKind; by: string };

/** Verbs of `drop` about files that must arrive every day. */
export function registerExpected(drop: Command): void {
  verb<Name & { timeZone: string }>(
    named(drop.command('expect'))
      .description('Expect a file every day by an hour: an alarm goes off if it has not arrived by then')
      .option('--time-zone <name>', 'the time zone of the hour, such as Europe/Prague', timeZoneOption, 'UTC'),
    noIds,
    async (installation, { team, type, by, timeZone }) => {
      await requireTeam(installation.database, team);
      await saveExpectedFile(installation.database, {
        ...{ team_id: team, type, by, time_zone: timeZone, inserted_at: timestamp(now()) },
        last_arrival_at: await lastArrival(installation, team, type),
      });
      const all = await listExpectedFiles(installation.database, team);
      const saved = await shown(installation, all.find((each) => each.type === type && each.by === by)!);
      return {
        value: saved,
        text: `A file of ${type} is expected every day by ${by} (${timeZone}), first by ${saved.next_at}.`,
      };
    },
  );

  verb<{ team?: string }>(
    drop
      .command('expected')
      .description('List the files that are expected every day, and which of them are missing or failed')
      .option('--team <team_id>', 'only what this team must drop'),
    'reads',
    async (installation, { team }) => {
      const { database } = installation;
      if (team !== undefined) await requireTeam(database, team);
      const files = await listExpectedFiles(database, team);
      const expected = await Promise.all(files.map((each) => shown(installation, each)));
      return { value: expected, text: tableOf(headings, expected.map(rowOf), 'No file is expected.') };
    },
  );

  verb<Name>(
    named(drop.command('unexpect')).description('Stop expecting a file; its alarm ends'),
    noIds,
    async ({ database }, { team, type, by }) => {
      await requireTeam(database, team);
      if (!(await deleteExpectedFile(database, { team_id: team, type, by })))
        throw failure('not_found', `No file of ${type} is expected by ${by} from this team.`);
      return { value: { team_id: team, type, by }, text: `A file of ${type} by ${by} is no longer expected.` };
    },
  );
}

const named = (command: Command): Command =>
  command
    .requiredOption('--team <team_id>', 'the team that drops it')
    .addOption(
      new Option('--type <type>', 'the type of the file').choices(['accounts', 'contacts']).makeOptionMandatory(),
    )
    .requiredOption('--by <hour>', 'the hour of the day, such as 05:00', hourOption);

function hourOption(value: string): string {
  if (isHour(value)) return value;
  throw new InvalidArgumentError('It must be an hour from 00:00 to 23:59, such as 05:00.');
}

function timeZoneOption(value: string): string {
  if (isTimeZone(value)) return value;
  throw new InvalidArgumentError('It must be the name of a time zone, such as Europe/Prague.');
}

/** A file that arrived shortly before it was expected must not count as missing. */
async function lastArrival({ database, dropBox }: Installation, team: string, type: DropKind): Promise<string | null> {
  const files = await listDroppedFiles({ database, files: dropBox(), now }, team, 100);
  return files.find((file) => file.type === type)?.received_at ?? null;
}

const shown = async ({ database }: Installation, expected: ExpectedFile) => ({
  team_id: expected.team_id,
  type: expected.type,
  by: expected.by,
  time_zone: expected.time_zone,
  state: await expectedState({ database, now }, expected),
  last_arrival_at: expected.last_arrival_at,
  next_at: timestamp(nextHour(expected, now())),
});

const headings = ['TEAM', 'TYPE', 'BY', 'TIME ZONE', 'STATE', 'LAST ARRIVAL', 'NEXT'];

const rowOf = ({
  team_id,
  type,
  by,
  time_zone,
  state,
  last_arrival_at,
  next_at,
}: Awaited<ReturnType<typeof shown>>) => [...[team_id, type, by, time_zone, state, last_arrival_at ?? '', next_at]];
