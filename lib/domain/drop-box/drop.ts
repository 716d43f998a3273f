import { uuidPattern } from '../values/uuid.ts';

/**
 * Keys of objects in the drop box. Files are dropped under `<team_id>/accounts/` and `<team_id>/contacts/`. The service
 * writes its objects next to them or, while a file is in progress, under `work/`.
 */
export const dropKinds = ['accounts', 'contacts'] as const;
export type DropKind = (typeof dropKinds)[number];

/** One version of an object. If a file is replaced, the new version is another import. */
export type DroppedFile = {
  key: string;
  version: string;
  /** When it arrived, its size in bytes and its ETag, if the bucket has said so. */
  received_at?: string | undefined;
  size?: number | undefined;
  etag?: string | undefined;
};

export const reportKey = (key: string): string => `${key}.report.json`;
export const rejectedKey = (key: string): string => `${key}.rejected.csv`;

/** Key of the copy of a file without the rows of an erased person. It is never imported. */
export const remainingKey = (key: string): string => `${key}.remaining`;

/** Key of the rejected rows of one part of a file. They are kept there until the last part has been read. */
export const rejectedPartKey = (fileId: string, part: number): string =>
  `work/${fileId}/rejected/${String(part).padStart(6, '0')}.csv`;

const own = /^work\/|\.(?:report\.json|rejected\.csv|remaining)$/;

/** What programs write beside a file, or under another name until it is whole: hidden, temporary and marker files. */
const passedOver =
  /(?:^|\/)\.|\.(?:filepart|part|partial|te?mp|crdownload|bak|md5|sha256|sig|done|ok|lock)$|~$|(?:^|\/)_success$/i;

/** True if the object is a file to import: it is not the service's, not passed over, and does not mark a folder. */
export const isDropped = (key: string): boolean => !own.test(key) && !key.endsWith('/') && !passedOver.test(key);

/** Bytes of UTF-8. The key of the report must fit into the 1,024 bytes of an S3 key. */
const maxKeyBytes = 1024 - reportKey('').length;

const wrongPlace =
  'The file is in the wrong place: its key must be <team_id>/accounts/<name> or <team_id>/contacts/<name>.';

/** True if the key is short enough for a report next to the file. */
export const hasReport = (key: string): boolean => new TextEncoder().encode(key).length <= maxKeyBytes;

/** Why a file without room for a report is refused. */
export const longKey = `The name of the file is too long: its key has more than ${maxKeyBytes} bytes in UTF-8.`;

/** Why a file in this folder is refused. */
export const unknownTeam = (folder: string): string =>
  `The folder ${JSON.stringify(folder)} belongs to no team: it must be the team_id of an existing team.`;

const place = new RegExp(`^(${uuidPattern})/(accounts|contacts)/.`, 's');

/** The team and the kind of the file, or an error message if the key has neither. */
export function parseDropKey(key: string): { teamId: string; kind: DropKind } | { error: string } {
  const [, teamId, kind] = place.exec(key) ?? [];
  if (teamId !== undefined) return { teamId, kind: kind as DropKind };
  const [folder = '', type] = key.split('/');
  const isKind = type === 'accounts' || type === 'contacts';
  return { error: isKind && !new RegExp(`^${uuidPattern}$`).test(folder) ? unknownTeam(folder) : wrongPlace };
}

/** The largest short file, in bytes: about one or two chunks. */
export const shortFileBytes = 100_000;

/**
 * The message group of a file: the files of a lane are read one after another. Each type has a lane for short files and
 * one for all others, so that no file waits for a file of another type, and no short file for a long one.
 */
export function laneOfDrop({ key, size }: DroppedFile): string {
  const found = parseDropKey(key);
  if ('error' in found) return 'nobody';
  const isShort = (size ?? Number.POSITIVE_INFINITY) <= shortFileBytes;
  return `${found.teamId}/${found.kind}${isShort ? '/short' : ''}`;
}

/** The team of a file, for the log. A file without a team only gets a report. */
export function ownerOfDrop(key: string): string {
  const found = parseDropKey(key);
  return 'error' in found ? 'nobody' : found.teamId;
}
