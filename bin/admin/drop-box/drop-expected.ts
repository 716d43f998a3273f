import type { DropKind } from '../../../lib/domain/drop-box/drop.ts';
import { type ExpectedFile, nextHour, stateOfExpected } from '../../../lib/domain/drop-box/expected-file.ts';
import { timestamp } from '../../../lib/domain/values/timestamp.ts';
import { FileRefused } from '../../../lib/files/bytes.ts';
import { type FormatOptions, mappingOf, mapWith, withoutExamples } from '../../../lib/files/mapping.ts';
import { listExpectedFiles, saveExpectedFile } from '../../../lib/store/drop-box/expected-files.ts';
import { CannotRun, mapText } from '../../import/source.ts';
import { failure } from '../failure.ts';
import { type DropListService, listDroppedFiles } from '../operations/drop-box/list.ts';

/** Files that must arrive every day. */

type Given = {
  team: string;
  type: DropKind;
  by: string;
  timeZone: string;
  maxRejected: number | undefined;
  minRows: number | undefined;
  map: string | undefined;
} & FormatOptions;

/** The map is stored with the progress of each file, which has to fit into an item. */
const maxMapBytes = 32 * 1024;

export async function expectFile(service: DropListService, given: Given) {
  const { database } = service;
  const { team: team_id, type, by, timeZone: time_zone, maxRejected, minRows } = given;
  const map = await checkedMap(type, given);
  // A file that arrived shortly before it was expected must not count as missing.
  const files = await listDroppedFiles(service, team_id, 100);
  await saveExpectedFile(database, {
    ...{ team_id, type, by, time_zone, inserted_at: timestamp(Date.now()) },
    ...(maxRejected === undefined ? {} : { max_rejected: maxRejected }),
    ...(minRows === undefined ? {} : { min_rows: minRows }),
    ...(map === undefined ? {} : { map }),
    last_arrival_at: files.find((file) => file.type === type && file.state !== 'repeated')?.received_at ?? null,
  });
  const all = await listExpectedFiles(database, team_id);
  return shownExpected(all.find((each) => each.type === type && each.by === by)!);
}

/** @throws AdminFailure `invalid_arguments` with all errors of the map */
async function checkedMap(type: DropKind, { map, ...formats }: Given): Promise<string | undefined> {
  try {
    const given = mapWith(map === undefined ? undefined : await mapText(map), formats);
    mappingOf(type, given);
    if (given === undefined) return undefined;
    const text = withoutExamples(given);
    if (Buffer.byteLength(text) > maxMapBytes) throw new FileRefused('The mapping is larger than 32 KB.');
    return text;
  } catch (error) {
    if (!(error instanceof CannotRun || error instanceof FileRefused)) throw error;
    throw failure('invalid_arguments', error.message, '--map');
  }
}

export const shownExpected = (expected: ExpectedFile) => ({
  team_id: expected.team_id,
  type: expected.type,
  by: expected.by,
  time_zone: expected.time_zone,
  max_rejected: expected.max_rejected ?? null,
  min_rows: expected.min_rows ?? null,
  map: expected.map === undefined ? null : JSON.parse(expected.map),
  state: stateOfExpected(expected, Date.now()),
  deviations: expected.verdict?.deviations ?? [],
  last_arrival_at: expected.last_arrival_at,
  next_at: timestamp(nextHour(expected, Date.now())),
});
export type ShownExpected = ReturnType<typeof shownExpected>;
