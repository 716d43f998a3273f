import { expect, test } from 'vitest';
import * as z from 'zod';
import { maxHeadBytes } from '../../../bin/local/gateway/gateway.ts';
import { upsertContacts } from '../../../functions/contacts/upsert.ts';
import { allContracts } from '../../../functions/contracts.ts';
import { gatewayTimeout } from '../../../infra/constructs/api.ts';
import { proofLifetime } from '../../../lib/auth/identity-proof.ts';
import { secretOverlap } from '../../../lib/domain/access/client.ts';
import { defaultScanUnits } from '../../../lib/domain/access/scan-budget.ts';
import { accountRecord } from '../../../lib/domain/accounts/account-record.ts';
import { contactRecord, InvalidContact } from '../../../lib/domain/contacts/contact-record.ts';
import { lookupSlots } from '../../../lib/domain/contacts/lookup.ts';
import { batchRequest, deduplicationErrors } from '../../../lib/domain/imports/batch.ts';
import { batchStatusOf } from '../../../lib/domain/imports/batch-status.ts';
import { type Chunk, maxOpenChunks } from '../../../lib/domain/imports/chunk.ts';
import { maxAnswersToBlock } from '../../../lib/domain/journeys/given-answer.ts';
import { attemptPauses, maxAttempts } from '../../../lib/domain/journeys/identity-attempts.ts';
import { type JsonObject, type JsonValue, parseJson } from '../../../lib/domain/values/json.ts';
import { metadataError } from '../../../lib/domain/values/metadata.ts';
import { maxErrorDetails } from '../../../lib/domain/values/problem.ts';
import { maxBodyBytes, maxPublicBodyBytes } from '../../../lib/http/body.ts';
import { fits } from '../../../lib/http/reply.ts';
import { maxWebhooks } from '../../../lib/operations/events/webhooks.ts';
import { throttles } from '../../../lib/route.ts';
import { contentCachedFor } from '../../../lib/store/campaigns/content.ts';
import { urlRefusal } from '../../../lib/webhooks/url.ts';
import { read } from '../../support/architecture/sources.ts';

const contracts = await allContracts();

type Schema = { safeParse(value: unknown): { success: boolean } };
const takes = (schema: Schema | undefined, value: unknown) => schema!.safeParse(value).success;
const isMalformed = (text: string) => {
  try {
    parseJson(text);
    return false;
  } catch {
    return true;
  }
};
const x = (length: number) => 'x'.repeat(length);
const record = { account_number: '1', contact: { unique_id: 'c' } };
const product = { code: 'P', type: 'savings' };
const account = (fields: JsonObject) => takes(accountRecord, { ...record, product, ...fields });
const batch = (fields: JsonObject) => takes(batchRequest, { type: 'accounts', records: [record], ...fields });
const rejection = { record: 0, message: 'm' };

/** What each list has on a page. A list that is missing here is in the table under the id of its contract. */
const listed: Record<string, string> = {
  'list-contacts': 'contacts',
  'find-batch': 'batches',
  'list-journeys': 'journeys of a template',
  'list-responses': 'responses of a journey',
  'list-template-responses': 'responses to a template',
  'list-events': 'events',
};

/** The largest page of each list, and the default if it is another. */
const pages = contracts.flatMap(({ id, query }): [name: string, limit: number | ((size: number) => boolean)][] => {
  const { limit } = query instanceof z.ZodObject ? query.shape : {};
  if (!limit) return [];
  const name = `${listed[id] ?? id} on a page`;
  const { default: usual, maximum } = limit.meta() as { default: number; maximum: number };
  const takesPage = (size: number) => takes(query, { limit: String(size), template_id: crypto.randomUUID() });
  return [[name, takesPage], ...(usual === maximum ? [] : [[`${name}, by default`, usual] as [string, number]])];
});

/** By its name in the table: the number itself, or whether a value of this size is taken, as that of one more is not. */
const limits: Record<string, number | ((size: number) => boolean)> = {
  'request line and headers of a request': maxHeadBytes,
  'body of a request': maxBodyBytes,
  'body of a request that needs no token (token endpoint, pages)': maxPublicBodyBytes,
  'characters of a number in a body': (length) => !isMalformed(`[0.${'1'.repeat(length - 2)}]`),
  // The two quotes of a JSON string count too.
  response: (size) => fits(x(size - 2)),
  'levels of nesting in a body': (depth) => !isMalformed('['.repeat(depth) + ']'.repeat(depth)),
  'errors listed in details': maxErrorDetails,
  'requests to a route with a token, per second': throttles.partners.rateLimit,
  'requests to a route with a token, at one instant': throttles.partners.burstLimit,
  'requests to the token endpoint, per second': throttles.token.rateLimit,
  'requests to the token endpoint, at one instant': throttles.token.burstLimit,
  'requests to another public route, per second': throttles.public.rateLimit,
  'requests to another public route, at one instant': throttles.public.burstLimit,
  'time for a response': gatewayTimeout,
  'lifetime of a token, by default': Number(
    /TOKEN_LIFETIME_SECONDS: .*, (\d+)\)/.exec(read('lib/runtime/base.ts'))?.[1],
  ),
  "the client's old secret after a rotation": secretOverlap / 86_400_000,
  // An invalid body is accepted up to the size limit, so that its errors can be named.
  'contacts in one request': (count) =>
    !(upsertContacts.body!.parse({ contacts: Array(count).fill({ unique_id: 'c' }) }) instanceof InvalidContact),
  unique_id: (size) => takes(contactRecord, { unique_id: x(size) }),
  'a text field': (size) => takes(contactRecord, { unique_id: 'c', city: x(size) }),
  'keys in meta_public or meta_private, merged': (count) =>
    metadataError(Object.fromEntries(Array.from({ length: count }, (_, key) => [key, 0]))) === undefined,
  'JSON of meta_public or meta_private, merged': (size) =>
    metadataError({ a: x(size - '{"a":""}'.length) }) === undefined,
  'read units a minute, each client, for searches, sorted lists and lookups without an index, by default':
    defaultScanUnits,
  'fields declared for channel lookup, each team': lookupSlots.length,
  'records of a chunk, with chunk_index': (count) =>
    deduplicationErrors({ batch_id: 'b', chunk_index: 0, records: Array<JsonValue>(count).fill(record) }).length === 0,
  'records of a request, without chunk_index': (count) => batch({ records: Array(count).fill(record) }),
  chunk_index: (index) => batch({ batch_id: 'b', chunk_index: index }),
  'open chunks of a team': maxOpenChunks,
  "missing chunks listed in a batch's status": (count) => missingOf(count) === count,
  batch_id: (size) => batch({ batch_id: x(size) }),
  'account_number, product.code': (size) =>
    account({ account_number: x(size) }) && account({ product: { ...product, code: x(size) } }),
  'characters of a decimal': (size) => account({ balance: '1'.repeat(size) }),
  "rejected records listed in a batch's status": (count) => errorsOf(count) === count,
  'answers of a person to one block': maxAnswersToBlock,
  'webhooks of a team': maxWebhooks,
  'characters of the URL of a webhook': (length) =>
    urlRefusal(`https://a.example/${x(length - 'https://a.example/'.length)}`, { allowsLocal: false }) === undefined,
  'wrong answers before a pause of 15 minutes': attemptBefore(15)!,
  'wrong answers before a pause of a day': attemptBefore(24 * 60)!,
  'wrong answers before an administrator must allow more': maxAttempts,
  'validity of a proof, in one browser, for one journey': proofLifetime / 60_000,
  'maximum age of the campaign content that is shown': contentCachedFor / 1000,
  ...Object.fromEntries(pages),
};

/** The attempt after which a pause of so many minutes follows. */
function attemptBefore(minutes: number): number | undefined {
  return attemptPauses.find(({ pause }) => pause === minutes * 60_000)?.after;
}

/** How many of so many missing chunks a batch's status names. */
function missingOf(count: number): number {
  const chunk = { status: 'completed', records: 1, index: 0 } as unknown as Chunk;
  return batchStatusOf('b', [chunk], { expected: count + 1 })!.chunks.missing!.length;
}

/** How many of so many rejected records a batch's status names. */
function errorsOf(count: number): number {
  const chunk = { status: 'completed', records: count, rejections: Array(count).fill(rejection) } as unknown as Chunk;
  return batchStatusOf('b', [chunk])!.errors.length;
}

const units: Record<string, number> = { KB: 1024, MB: 1024 * 1024 };

function sizeOf(value: string): number {
  const [amount = '', unit = ''] = value.split(' ');
  return Number(amount.replaceAll(',', '')) * (units[unit] ?? 1);
}

const [section = ''] = read('docs/reference.md')
  .split(/^## /m)
  .filter((part) => part.startsWith('Limits\n'));
const rows = [...section.matchAll(/^\| (?!\*\*|limit |---)(.+?) \| (.+?) \|/gm)].map(
  ([, name, value]) => [name!.replaceAll('`', ''), value!] as const,
);

test('the table names every limit, each once', () => {
  const names = rows.map(([name]) => name);
  expect(names.sort(), 'add a row to docs/reference.md, or a limit to this test').toEqual(Object.keys(limits).sort());
});

test.each(rows)('%s: %s', (name, value) => {
  const limit = limits[name]!;
  const size = sizeOf(value);
  if (typeof limit === 'number') expect(limit).toBe(size);
  else expect([limit(size), limit(size + 1)]).toEqual([true, false]);
});
