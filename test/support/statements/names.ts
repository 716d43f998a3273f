import { insert, type StatementCase, update } from './case.ts';

/**
 * The attributes of all items. Many are reserved words of DynamoDB, which parsers accept only in quotation marks or
 * with a placeholder.
 */
const attributes = [
  ...['accepted_at', 'active_at', 'answer', 'at', 'attempt', 'attempts', 'batch_id', 'begun', 'block_id', 'bytes'],
  ...['call_id', 'cancelled', 'chunk_count', 'closed_at', 'code', 'completed', 'completion_verified_at', 'contact_id'],
  ...['count', 'counted', 'counts', 'created', 'creation_id', 'data', 'declined', 'description', 'digest'],
  ...['directory_pk', 'directory_sk', 'events', 'ended', 'expires_at', 'expiry', 'failed', 'failure', 'features'],
  ...['file_id', 'former', 'guarded_until', 'id', 'holders', 'ids', 'index', 'inserted_at', 'journey_id', 'jwk'],
  ...['keys', 'kid', 'last', 'last_order', 'last_used_on', 'last_viewed', 'left', 'left_seen', 'lookup_1', 'lookup_2'],
  ...['lookup_3', 'lookup_4', 'lookups', 'moved_to', 'moves', 'moving_from', 'name', 'needed_until', 'opened', 'order'],
  ...['outcome', 'outcomes', 'owner_id', 'parts', 'paused_until', 'payload_id', 'previous_secret', 'product_at'],
  ...['privacy_policy_url', 'products_revision', 'published_at', 'recorded_at', 'records', 'rejections'],
  ...['renamed_from', 'renames', 'revision', 'revoked_at', 'revoked_by', 'rotation_id', 'row', 'scopes', 'secret'],
  ...['secret_id', 'secrets', 'seq', 'services', 'slug', 'source', 'standardized_type', 'start', 'status', 'team_id'],
  ...['template_id', 'text', 'type', 'typed_name', 'unique_id', 'updated_at', 'usable_from', 'used_by', 'values'],
  ...['verified', 'version', 'viewed', 'what', 'who'],
];
const all = (value: string | undefined) => Object.fromEntries(attributes.map((name) => [name, value]));
const list = (each: (name: string) => string, separator: string) => attributes.map(each).join(separator);

export const names: readonly StatementCase[] = [
  {
    what: 'an insert, an update and a condition with every attribute',
    given: [],
    call: async ({ database, pk }) => [
      ...(await database.write([insert(pk, 'a', all('1'))])),
      ...(await database.write([update(pk, 'a', all('2'), all('1'))])),
      ...(await database.write([update(pk, 'a', { version: '3' }, all(undefined))])),
    ],
    sent: [
      `INSERT INTO "table" VALUE {'pk':?,'sk':?,${list((name) => `'${name}':?`, ',')}}`,
      `UPDATE "table" SET ${list((name) => `"${name}"=?`, ', ')} WHERE "pk"=? AND "sk"=? AND ${list((name) => `"${name}"=?`, ' AND ')}`,
      `UPDATE "table" SET "version"=? WHERE "pk"=? AND "sk"=? AND ${list((name) => `"${name}" IS MISSING`, ' AND ')}`,
    ],
    result: [true, true, false],
    codes: ['None', 'None', 'ConditionalCheckFailed'],
    after: [{ sk: 'a', ...all('2') }],
  },
  ...attributes.map(
    (name): StatementCase => ({
      what: `the removal of ${name}`,
      given: [{ sk: 'a', [name]: '1' }],
      call: ({ database, pk }) => database.write([update(pk, 'a', { [name]: undefined })]),
      sent: [`UPDATE "table" REMOVE "${name}" WHERE "pk"=? AND "sk"=?`],
      result: [true],
      codes: ['None'],
      after: [{ sk: 'a' }],
    }),
  ),
];
