import { shortened } from '../../../lib/content/similar.ts';
import { dropKinds, parseDropKey } from '../../../lib/domain/drop-box/drop.ts';
import { noticeText } from '../../../lib/domain/drop-box/file-notice.ts';
import { isUuid } from '../../../lib/domain/values/uuid.ts';
import { deleteExpectedFile, listExpectedFiles } from '../../../lib/store/drop-box/expected-files.ts';
import { shellWord } from '../../output.ts';
import { failure } from '../failure.ts';
import type { Installation } from '../installation.ts';
import {
  type DropTimeline,
  dropStates,
  dropTimeline,
  isInProgress,
  type ListedDrop,
  listDroppedFiles,
} from '../operations/drop-box/list.ts';
import { countOption, formatOptions, hourOption, limitOption, percentOption, timeZoneOption } from '../options.ts';
import { countsText, listing, statesText, tableOf, watchCommand } from '../text.ts';
import { argument, noun, oneOf, optional, type Parameter, required, team, verb } from '../verb.ts';
import { shownOrWatched, watching } from '../watch.ts';
import type { ShownExpected } from './drop-expected.ts';

/** What names an expected file. */
const named = {
  team,
  type: required('<type>', `the type of the file: ${dropKinds.join(' or ')}`, oneOf('types', dropKinds)),
  by: required('<hour>', 'the hour of the day, such as 05:00', hourOption),
};

export const verbs = noun('Files in the drop box', {
  list: verb({
    does: "List a team's dropped files, newest first, including those that wait",
    parameters: { team, limit: limitOption('list at most so many'), ...watching },
    reads: true,
    run: async (installation, given) => {
      const service = await serviceOf(installation);
      const look = () => listDroppedFiles(service, given.team, given.limit);
      const isOver = (files: readonly ListedDrop[]) => !files.some(isInProgress);
      const line = (files: readonly ListedDrop[]) => statesText(files, dropStates);
      return shownOrWatched({ look, isOver, text: dropListText, line }, given);
    },
  }),

  show: verb({
    does: 'Show the way of a dropped file: received, read, applied, reported, with times and counts',
    parameters: { key: argument('the key of the file, as the list shows it: <team_id>/<type>/<name>'), ...watching },
    reads: true,
    run: async (installation, given) => {
      const owner = parseDropKey(given.key);
      const none = 'error' in owner ? owner.error : 'no file with this key was dropped in the last 30 days';
      // The list of a team has files in other folders too.
      const [folder = ''] = given.key.split('/');
      const service = await serviceOf(installation);
      const look = async () => {
        const timeline = isUuid(folder) ? await dropTimeline(service, folder, given.key) : undefined;
        if (!timeline) throw failure('not_found', none, 'key');
        return timeline;
      };
      const isOver = (file: ListedDrop) => !isInProgress(file);
      return shownOrWatched({ look, isOver, text: timelineText, line: timelineLine }, given);
    },
  }),

  expect: verb({
    does: 'Expect a file every day by an hour, and how it is read: an alarm goes off if it is missing, failed or not as expected',
    parameters: {
      ...named,
      timeZone: {
        ...{ value: '<name>', says: 'the time zone of the hour, such as Europe/Prague', default: 'UTC' },
        parse: timeZoneOption,
      } as Parameter<string>,
      maxRejected: optional('<percent>', 'the largest share of rejected rows of a file, such as 5%', percentOption),
      minRows: optional('<number>', 'the smallest number of rows of the files of a day together', countOption),
      ...formatOptions,
    },
    run: async (installation, given) => {
      const { expectFile } = await import('./drop-expected.ts');
      const value = await expectFile(await serviceOf(installation), given);
      const { type, by, time_zone, next_at } = value;
      return { value, text: `A file of ${type} is expected every day by ${by} (${time_zone}), first by ${next_at}.` };
    },
  }),

  expected: verb({
    does: 'List the files that are expected every day; exit status 1 if one is missing, failed or not as expected',
    parameters: { team: optional('<team_id>', 'only what this team must drop') },
    reads: true,
    run: async ({ database }, given) => {
      const { shownExpected } = await import('./drop-expected.ts');
      const expected = (await listExpectedFiles(database, given.team)).map(shownExpected);
      const isAlarm = expected.some(({ state }) => state !== 'ok');
      return { value: expected, text: tableOf(expected, columns, 'No file is expected.'), isAlarm };
    },
  }),

  unexpect: verb({
    does: 'Stop expecting a file; its alarm ends',
    parameters: named,
    run: async ({ database }, { team: team_id, type, by }) => {
      if (!(await deleteExpectedFile(database, { team_id, type, by })))
        throw failure('not_found', `No file of ${type} is expected by ${by} from this team.`);
      return { value: { team_id, type, by }, text: `A file of ${type} by ${by} is no longer expected.` };
    },
  }),
});

const serviceOf = async ({ database, now, dropBox }: Installation) => ({ database, now, files: await dropBox() });

const columns = {
  TEAM: 'team_id',
  TYPE: 'type',
  BY: 'by',
  'TIME ZONE': 'time_zone',
  STATE: 'state',
  'LAST ARRIVAL': 'last_arrival_at',
  NEXT: 'next_at',
  'NOT AS EXPECTED': ({ deviations }: ShownExpected) => deviations.join('; '),
} as const;

/** Narrow enough for a terminal: `drop show` and `--json` have the rest. */
const dropListText = (files: readonly ListedDrop[]): string =>
  tableOf(
    files,
    {
      FILE: 'key',
      STATE: 'state',
      ACCEPTED: ({ rows }) => rows.accepted,
      REJECTED: ({ rows }) => rows.rejected,
      RECEIVED: ({ received_at }) => `${received_at.slice(0, 19)}Z`,
      NOTE: noteOf,
    },
    'The team has dropped no file.',
  );

/** The reason, or else how much was rejected, and the last warning or notice. */
function noteOf({ reason, notices, warnings, rows: { read, rejected } }: ListedDrop): string {
  const share = rejected > 0 ? [`${Number(((100 * rejected) / read).toPrecision(2))}% rejected`] : [];
  const last = warnings.at(-1) ?? notices.map(noticeText).at(-1);
  return shortened(reason ?? [...share, ...(last === undefined ? [] : [last])].join('; '), 60);
}

function timelineText(file: DropTimeline): string {
  const { key, state, reason, warnings, notices, rows, batch_id, report_key, rejected_file, timeline, chunks_failed } =
    file;
  const { read, accepted, rejected } = rows;
  const head = listing({
    file: key,
    state: reason === null ? state : `${state}: ${reason}`,
    rows: countsText({ read, accepted, rejected }),
    ...(warnings.length === 0 ? {} : { warnings: warnings.join('; ') }),
    ...(notices.length === 0 ? {} : { notices: notices.map(noticeText).join('; ') }),
    ...(batch_id === null ? {} : { batch: batch_id }),
    ...(report_key === null ? {} : { report: report_key }),
    ...(rejected_file === null ? {} : { 'rejected rows': rejected_file }),
  });
  const table = tableOf(timeline, {
    WHEN: 'at',
    UNTIL: 'until',
    WHAT: 'event',
    COUNTS: ({ counts }) => countsText(counts),
  });
  const failed =
    chunks_failed === 0 || batch_id === null
      ? []
      : [`Failed chunks: ${chunks_failed}. To see why: ${watchCommand(batch_id, key.split('/')[0]!)}`];
  return [
    head,
    '',
    table,
    ...failed,
    ...(rejected_file === null && !reason?.includes('--map') ? [] : [formatsText(file)]),
  ].join('\n');
}

/** The forms of values and the names of columns, for which rows and files are often rejected, are declared once for a type. */
const formatsText = ({ key, type, rejected_file }: DropTimeline): string =>
  `\n${rejected_file === null ? '' : 'The rejected rows have their reasons. '}To declare the form of dates and numbers, or the names of columns, for the next files:\n  npm run admin -- drop expect --team ${shellWord(key.split('/')[0]!)} --type ${type} --by <hour> --dates <format> --numbers <format> --map <file>`;

const timelineLine = (file: DropTimeline): string => {
  const last = file.timeline.at(-1)!;
  return `${file.state}: ${last.event} ${last.until ?? last.at} ${countsText(last.counts)}`.trimEnd();
};
