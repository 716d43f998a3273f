import { describe, expect, test } from 'vitest';
import { acceptsGzip, compressed as packed } from '../../../lib/http/compression.ts';
import { fits, linkToNext, pageReply, render, seeOther } from '../../../lib/http/reply.ts';
import type { Result } from '../../../lib/http/request.ts';
import { eventOf } from '../../support/http/event.ts';

describe('a reply', () => {
  test('of a page has the headers of the page, unless others replace them', () => {
    const page = { html: '<p>', headers: { a: '1', b: '2' } };
    expect(render(pageReply(404, page, { b: '3' }))).toEqual({
      statusCode: 404,
      headers: { 'content-type': 'text/html; charset=utf-8', a: '1', b: '3' },
      body: '<p>',
      isBase64Encoded: false,
    });
    expect(pageReply(200, page).headers).toEqual(page.headers);
  });

  test('that redirects is not stored', () => {
    const redirect = { location: '/j/a', 'cache-control': 'no-store' };
    expect(seeOther('/j/a')).toEqual({ status: 303, headers: redirect });
    expect(seeOther('/j/a', { 'set-cookie': 'x' }).headers).toEqual({ ...redirect, 'set-cookie': 'x' });
  });

  test('of the last page names no next one', () => {
    expect(linkToNext('https://bank.example/v1/contacts', undefined)).toEqual({});
  });

  test('has a body if that is null', () => {
    expect(render({ status: 200, body: null })).toMatchObject({ body: 'null' });
  });

  const megabytes = 1024 * 1024;
  test.each<[string, string, boolean]>([
    ['5 MiB', 'a'.repeat(5 * megabytes - 2), true],
    ['more than 5 MiB', 'a'.repeat(5 * megabytes - 1), false],
    ['6 MiB less 16 KiB once escaped', `aa${'"'.repeat((6 * megabytes - 16 * 1024 - 8) / 4)}`, true],
    ['more than that once escaped', `aaa${'"'.repeat((6 * megabytes - 16 * 1024 - 8) / 4)}`, false],
  ])('with %s of JSON fits: %#', (_, text, isSmall) => {
    expect(fits(text)).toBe(isSmall);
  });
});

describe('compression', () => {
  test.each([
    ['gzip', true],
    ['br, GZIP', true],
    ['gzip;q=0.5', true],
    ['gzip;q=0.01', true],
    ['gzip;q=0', false],
    ['gzip ; q=0.00 , br', false],
    ['gzip; q=0', false],
    ['br', false],
    ['xgzip', false],
    ['gzipx', false],
    [undefined, false],
  ])('is accepted by %j: %s', (header, isAccepted) => {
    expect(acceptsGzip(eventOf({ headers: header === undefined ? {} : { 'accept-encoding': header } }))).toBe(
      isAccepted,
    );
  });

  const gzip = async (text: string) => Buffer.from(`packed ${text.length}`);
  const compressed = (response: Result, headers: Record<string, string> = { 'accept-encoding': 'gzip' }) =>
    packed(response, eventOf({ headers }), gzip);
  const body = 'a'.repeat(4096);
  const json = { 'content-type': 'application/json' };

  test('packs a large response and marks its tag', async () => {
    expect(await compressed({ statusCode: 200, headers: { ...json, etag: '"a"' }, body })).toEqual({
      statusCode: 200,
      headers: { ...json, etag: '"a-gzip"', vary: 'accept-encoding', 'content-encoding': 'gzip' },
      body: Buffer.from('packed 4096').toString('base64'),
      isBase64Encoded: true,
    });
    expect(await compressed({ headers: json, body })).not.toHaveProperty('headers.etag');
  });

  test('names the header on which the response depends, also if it is not packed', async () => {
    const response = { headers: { ...json, vary: 'accept-language' }, body };
    expect(await compressed(response, {})).toEqual({
      headers: { ...json, vary: 'accept-language, accept-encoding' },
      body,
    });
  });

  test.each<[string, object]>([
    ['is small', { headers: json, body: body.slice(1) }],
    ['is empty', { statusCode: 204, headers: {} }],
    ['is base64', { headers: json, body, isBase64Encoded: true }],
    ['is an image', { headers: { 'content-type': 'image/png' }, body }],
    ['has another type', { headers: { 'content-type': 'x-application/json' }, body }],
    ['has a longer type', { headers: { 'content-type': 'application/jsonp' }, body }],
    ['has no headers', { body }],
  ])('leaves a response that %s', async (_, response) => {
    expect(await compressed(response)).toBe(response);
  });

  test('counts the bytes of a text, not its characters', async () => {
    const page = { headers: { 'content-type': 'text/html; charset=utf-8' }, body: 'ä'.repeat(2048) };
    expect(await compressed(page)).toMatchObject({ isBase64Encoded: true });
  });
});
