import * as z from 'zod';
import { fixedDays, type Retention, retentionDefaults } from '../../lib/domain/retention.ts';

const whole = z.int().min(1);
const retentionSchema = z.object({
  audit: whole.default(retentionDefaults.audit),
  payloads: whole.default(retentionDefaults.payloads),
  events: whole.default(retentionDefaults.events),
  droppedFiles: whole.default(retentionDefaults.droppedFiles),
  deletedImages: whole.default(retentionDefaults.deletedImages),
  logs: whole.default(retentionDefaults.logs),
  accessLog: whole.default(retentionDefaults.accessLog),
  bucketAccessLogs: whole.default(retentionDefaults.bucketAccessLogs),
  backups: whole.default(retentionDefaults.backups),
});

/** What a deployment says of its settings, with the default for each one that it does not name. */
export const retentionOf = (settings: unknown): Retention =>
  retentionSchema.catch({ ...retentionDefaults }).parse(settings);

export type RetentionClass = {
  data: string;
  /** `null`: no time limit, see `ends`. */
  days: number | null;
  /** What ends the retention. */
  ends: string;
  /** Where the number of days is set; `null` if it cannot be set. */
  setting: string | null;
};

const ttl = 'TTL of the table';
const lifecycle = 'lifecycle of the bucket';
const logs = 'retention of the log group';
const erasure = 'contact erase';

/** Every class of stored data of a deployed stack. */
export const retentionClasses = (days: Retention): RetentionClass[] => [
  { data: 'contacts, links to accounts, identity checks', days: null, ends: erasure, setting: null },
  { data: 'journeys, also closed ones, and their actions', days: null, ends: erasure, setting: null },
  { data: 'responses', days: null, ends: erasure, setting: null },
  { data: 'accounts and products', days: null, ends: 'nothing', setting: null },
  { data: 'campaign content, all revisions', days: null, ends: 'nothing', setting: null },
  { data: 'records of accepted chunks', days: days.payloads, ends: ttl, setting: 'retention.payloads' },
  { data: 'events', days: days.events, ends: ttl, setting: 'retention.events' },
  { data: 'records of failed chunks', days: null, ends: 'failed redrive, failed discard', setting: null },
  { data: 'status of batches, with rejections', days: null, ends: 'nothing', setting: null },
  {
    data: 'dropped files and their reports',
    days: days.droppedFiles,
    ends: lifecycle,
    setting: 'retention.droppedFiles',
  },
  { data: 'rejected rows of a file in progress', days: fixedDays.work, ends: lifecycle, setting: null },
  { data: 'state of dropped files', days: fixedDays.dropStates, ends: ttl, setting: null },
  { data: 'audit log', days: days.audit, ends: ttl, setting: 'retention.audit' },
  { data: 'list of erasures', days: null, ends: 'nothing', setting: null },
  { data: 'images', days: null, ends: 'file remove', setting: null },
  { data: 'deleted images', days: days.deletedImages, ends: lifecycle, setting: 'retention.deletedImages' },
  { data: 'logs of functions', days: days.logs, ends: logs, setting: 'retention.logs' },
  { data: 'access log of the API', days: days.accessLog, ends: logs, setting: 'retention.accessLog' },
  {
    data: 'access logs of buckets',
    days: days.bucketAccessLogs,
    ends: lifecycle,
    setting: 'retention.bucketAccessLogs',
  },
  {
    data: 'backups of the table',
    days: days.backups,
    ends: 'point-in-time recovery',
    setting: 'backups.pointInTimeDays',
  },
];
