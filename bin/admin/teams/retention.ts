import { fixedDays, type Retention } from '../../../lib/domain/teams/retention.ts';
import { tableOf } from '../text.ts';
import { noun, verb } from '../verb.ts';

export const verbs = noun('How long data is kept', {
  show: verb({
    does: 'Show how long each class of data is kept, what deletes it and which setting says so',
    reads: true,
    run: async ({ retention: { days, notes } }) => {
      const classes = classesOf(days).map(([data, days, ends, setting = null]) => ({ data, days, ends, setting }));
      const text = tableOf(classes, {
        DATA: 'data',
        DAYS: ({ days }) => (days === null ? 'kept' : String(days)),
        'ENDED BY': 'ends',
        SETTING: ({ days, setting }) => setting ?? (days === null ? '' : 'fixed'),
      });
      return { value: classes, text, notes };
    },
  }),
});

const ttl = 'TTL of the table';
const lifecycle = 'lifecycle of the bucket';
const logs = 'retention of the log group';
const erasure = 'contact erase';

/** A class of stored data. `days` is `null` if there is no time limit. `ends`: what ends the retention. */
type RetentionClass = [data: string, days: number | null, ends: string, setting?: string];

/** Every class of stored data of a deployed stack. */
const classesOf = (days: Retention): RetentionClass[] => [
  ['contacts, links to accounts, identity checks', null, erasure],
  ['journeys, also closed ones, and their actions', null, erasure],
  ['responses', null, erasure],
  ['accounts and products', null, 'nothing'],
  ['campaign content, all revisions', null, 'nothing'],
  ['records of accepted chunks', days.payloads, ttl, 'retention.payloads'],
  ['events', days.events, ttl, 'retention.events'],
  ['records of failed chunks', null, 'failed redrive, failed discard'],
  ['status of batches, with rejections', null, 'nothing'],
  ['dropped files and their reports', days.droppedFiles, lifecycle, 'retention.droppedFiles'],
  ['rejected rows of a file in progress', fixedDays.work, lifecycle],
  ['state of dropped files', fixedDays.dropStates, ttl],
  ['audit log', days.audit, ttl, 'retention.audit'],
  ['list of erasures', null, 'nothing'],
  ['images', null, 'file remove'],
  ['deleted images', days.deletedImages, lifecycle, 'retention.deletedImages'],
  ['logs of functions', days.logs, logs, 'retention.logs'],
  ['access log of the API', days.accessLog, logs, 'retention.accessLog'],
  ['access logs of buckets', days.bucketAccessLogs, lifecycle, 'retention.bucketAccessLogs'],
  ['backups of the table', days.backups, 'point-in-time recovery', 'backups.pointInTimeDays'],
];
