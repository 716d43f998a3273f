import { describe, expect, test } from 'vitest';
import { readsPrivate } from '../../../lib/domain/access/caller.ts';
import { isImageOfOwnPage, viewImage } from '../../../lib/http/images.ts';
import { loggedIds } from '../../../lib/http/request-log.ts';
import { isFromOtherSite, isFromOwnPage } from '../../../lib/http/same-site.ts';
import { shownTo } from '../../../lib/http/visibility.ts';
import { eventOf } from '../../support/http/event.ts';

const base = 'https://api.example.com/base';
const own = 'https://api.example.com';
const other = 'https://other.example.com';

test.each<[Record<string, string>, boolean, boolean]>([
  [{}, true, false],
  [{ origin: own }, true, false],
  [{ origin: 'null' }, true, false],
  [{ origin: other }, false, true],
  [{ 'sec-fetch-site': 'same-origin' }, true, false],
  [{ 'sec-fetch-site': 'same-origin', origin: other }, true, false],
  [{ 'sec-fetch-site': 'same-site' }, false, false],
  [{ 'sec-fetch-site': 'none' }, false, false],
  [{ 'sec-fetch-site': 'cross-site' }, false, true],
  [{ 'sec-fetch-site': 'cross-site', origin: own }, false, true],
])('a request with %j is from an own page: %s, from another site: %s', (headers, isOwn, isOther) => {
  const event = eventOf({ headers });
  expect([isFromOwnPage(event, base), isFromOtherSite(event, base)]).toEqual([isOwn, isOther]);
});

test.each([
  ['image', 'same-origin', true],
  ['image', 'cross-site', false],
  ['document', 'same-origin', false],
])('a view image that is loaded as %s from %s counts: %s', (destination, site, counts) => {
  const headers = { 'sec-fetch-dest': destination, 'sec-fetch-site': site };
  expect(isImageOfOwnPage(eventOf({ headers }))).toBe(counts);
});

test('the view image is a GIF with one pixel that nothing stores', () => {
  const bytes = Buffer.from(viewImage.content.text, 'base64');
  expect(bytes.subarray(0, 6).toString()).toBe('GIF89a');
  expect([bytes.readUInt16LE(6), bytes.readUInt16LE(8)]).toEqual([1, 1]);
  expect(viewImage).toMatchObject({
    status: 200,
    headers: { 'cache-control': 'no-store', 'x-robots-tag': 'noindex' },
    content: { type: 'image/gif', base64: true },
  });
});

describe('the logged ids', () => {
  const id = '0f9619ff-8b86-4011-b42d-00c04fc964ff';

  test.each<[string, Record<string, string> | undefined, object]>([
    ['GET /v1/contacts/{id}', { id }, { contact_id: id }],
    ['GET /v1/journeys/{id}', { id }, { journey_id: id }],
    ['GET /v1/templates/{id}/pages/{page_id}', { id, page_id: id }, { template_id: id, page_id: id }],
    ['GET /v1/x/{channel_id}/{contact_id}', { channel_id: id, contact_id: id }, { channel_id: id, contact_id: id }],
    ['GET /v1/contacts/{id}', { id: id.toUpperCase() }, { contact_id: id }],
    ['GET /v1/contacts/{id}', { id: 'a text of the caller' }, {}],
    ['GET /v1/batches/{batch_id}', { batch_id: id }, {}],
    ['GET /j/{slug}', { slug: id }, {}],
    ['$default', { id }, {}],
    ['GET /v1/contacts', undefined, {}],
  ])('of %s %j are %j', (routeKey, pathParameters, ids) => {
    expect(loggedIds(eventOf({ routeKey, ...(pathParameters ? { pathParameters } : {}) }))).toEqual(ids);
  });
});

test('private metadata are only for callers with their scope', () => {
  const caller = (scopes: string[]) => ({ teamId: '', clientId: '', scopes: new Set(scopes) }) as never;
  const contact = { id: 'a', meta_private: {} };
  expect(readsPrivate(caller(['contacts:private']))).toBe(true);
  expect(shownTo(caller(['contacts:private']), contact)).toBe(contact);
  expect(shownTo(caller(['contacts:read']), contact)).toEqual({ id: 'a' });
  expect(contact).toHaveProperty('meta_private');
});
