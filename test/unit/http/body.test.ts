import { describe, expect, test } from 'vitest';
import { pageAction } from '../../../functions/journeys/record-action.ts';
import { bodyText, jsonBody, mediaType, refuseLargeBody } from '../../../lib/http/body.ts';
import { formFields, sentAction } from '../../../lib/http/form.ts';
import { eventOf } from '../../support/http/event.ts';

const detail = (message: string) => ({ code: 'invalid_request', details: [{ path: '', message }] });
const thrownBy = (read: () => unknown) => {
  try {
    return { value: read() };
  } catch (error) {
    return error;
  }
};
const typed = (type: string, body = '{}') => eventOf({ headers: { 'content-type': type }, body });

describe('the media type of a body', () => {
  test.each([
    [undefined, undefined],
    ['', undefined],
    [' ; charset=utf-8', undefined],
    ['Application/JSON', 'application/json'],
    [' text/html ; charset=utf-8; a=b', 'text/html'],
  ])('of %j is %j', (header, type) => {
    expect(mediaType(eventOf({ headers: header === undefined ? {} : { 'content-type': header } }))).toBe(type);
  });

  test.each(['application/json', 'application/merge-patch+json', 'APPLICATION/JSON; a=b', ''])(
    '%j is accepted as JSON',
    (type) => {
      expect(jsonBody(typed(type, '{"a":1}'))).toEqual({ a: 1 });
    },
  );

  test.each(['text/plain', 'application/jsonp', 'application/json+xml', 'application/x-www-form-urlencoded'])(
    '%j is rejected',
    (type) => {
      expect(thrownBy(() => jsonBody(typed(type)))).toMatchObject({ code: 'unsupported_media_type' });
    },
  );
});

describe('a body', () => {
  test.each([
    ['[1]', 'must be a JSON object'],
    ['null', 'must be a JSON object'],
    ['"a"', 'must be a JSON object'],
    ['{', 'must be JSON: not well-formed JSON at line 1, column 2'],
    ['{\n "a": x}', 'must be JSON: not well-formed JSON at line 2, column 7'],
    ['', 'must be a JSON object, and is empty'],
    ['\n', 'must be a JSON object, and is empty'],
  ])('of %j is rejected: %s', (body, message) => {
    expect(thrownBy(() => jsonBody(eventOf({ body })))).toMatchObject(detail(message));
  });

  test('is empty if the request has none', () => {
    expect(bodyText(eventOf())).toBe('');
  });

  test('in base64 is decoded', () => {
    const body = Buffer.from('{"a":"ä"}').toString('base64');
    expect(jsonBody(eventOf({ body, isBase64Encoded: true }))).toEqual({ a: 'ä' });
  });

  test('in base64 keeps a byte order mark, which is not JSON', () => {
    const body = Buffer.from('\ufeff{}').toString('base64');
    expect(bodyText(eventOf({ body, isBase64Encoded: true }))).toBe('\ufeff{}');
    expect(thrownBy(() => jsonBody(eventOf({ body, isBase64Encoded: true })))).toMatchObject({
      code: 'invalid_request',
    });
  });

  test('in base64 that is not UTF-8 is rejected', () => {
    const body = Buffer.from([0x22, 0xff, 0x22]).toString('base64');
    expect(thrownBy(() => bodyText(eventOf({ body, isBase64Encoded: true })))).toMatchObject(detail('must be UTF-8'));
  });

  test.each([
    ['a\ufffd', '2', true],
    ['a\ufffd', '4', false],
    ['a\ufffd', undefined, false],
    ['ab', '7', false],
  ])('%j with the content length %s was not UTF-8: %s', (body, length, isRejected) => {
    const event = eventOf({ body, headers: length === undefined ? {} : { 'content-length': length } });
    expect(thrownBy(() => bodyText(event))).toMatchObject(isRejected ? detail('must be UTF-8') : { value: body });
  });

  test.each([
    ['identity', true],
    ['Identity', true],
    ['gzip', false],
    ['', false],
  ])('with the encoding %j is accepted: %s', (encoding, isAccepted) => {
    const read = thrownBy(() => bodyText(eventOf({ headers: { 'content-encoding': encoding }, body: 'a' })));
    expect(read).toMatchObject(isAccepted ? { value: 'a' } : { code: 'unsupported_media_type' });
  });

  test.each([
    ['text/plain', true],
    ['text/plain;charset=utf-8', true],
    ['text/plain; charset=UTF8', true],
    ['text/plain; Charset = "utf-8"', true],
    ['text/plain; xcharset=latin1', true],
    ['text/plain;  charset  =  latin1', false],
    ['text/plain; charset="utf-16"', false],
    ['text/plain; charset=xutf-8', false],
    ['text/plain; charset=utf-80', false],
    ['text/plain; charset=', false],
  ])('of the type %j is accepted: %s', (type, isAccepted) => {
    const read = thrownBy(() => bodyText(typed(type, 'a')));
    expect(read).toMatchObject(isAccepted ? { value: 'a' } : { code: 'unsupported_media_type' });
  });

  test.each([
    ['abc', false, 3, false],
    ['abcd', false, 3, true],
    ['ää', false, 3, true],
    ['YWJj', true, 3, false],
    ['YWJjZA==', true, 3, true],
  ])('%j (base64: %s) with a limit of %i bytes is too large: %s', (body, isBase64Encoded, limit, isLarge) => {
    const outcome = thrownBy(() => refuseLargeBody(eventOf({ body, isBase64Encoded }), limit));
    expect(outcome).toMatchObject(isLarge ? { code: 'payload_too_large' } : { value: undefined });
  });

  test('that is absent has no bytes', () => {
    expect(thrownBy(() => refuseLargeBody(eventOf(), 0))).toEqual({ value: undefined });
  });
});

describe('a form', () => {
  const form = 'application/x-www-form-urlencoded';

  test.each([
    ['a=1&b=x+y%26', { a: '1', b: 'x y&' }],
    ['a=1&a=2', { a: '2' }],
    ['', {}],
  ])('%j has the fields %j', (body, fields) => {
    expect(formFields(typed(form, body))).toEqual(fields);
    expect(formFields(eventOf({ body }))).toEqual(fields);
  });

  test('may have 100 fields', () => {
    const fields = Array.from({ length: 100 }, (_, n) => `f${n}=${n}`);
    expect(Object.keys(formFields(typed(form, fields.join('&'))))).toHaveLength(100);
    const more = typed(form, [...fields, 'a='].join('&'));
    expect(thrownBy(() => formFields(more))).toMatchObject(detail('must have at most 100 fields'));
  });

  test('of another type is rejected', () => {
    expect(thrownBy(() => formFields(typed('application/json', 'a=1')))).toMatchObject({
      code: 'unsupported_media_type',
    });
  });

  test('or JSON gives the same action', () => {
    const page_id = '11111111-2222-4333-8444-555555555555';
    const viewed = { type: 'page_viewed', page_id };
    const asJson = sentAction(typed('application/json', JSON.stringify(viewed)), pageAction);
    const asForm = sentAction(typed(form, `type=page_viewed&page_id=${page_id}`), pageAction);
    expect(asForm).toEqual({ ...asJson, isForm: true });
    expect(asJson.isForm).toBe(false);
    expect(thrownBy(() => sentAction(typed(form, 'a=1'), pageAction))).toMatchObject({ code: 'validation_failed' });
  });

  test('has its answers in fields of their own', () => {
    const sent = (fields: Record<string, string>) =>
      sentAction(
        typed(form, String(new URLSearchParams({ type: 'page_completed', page_id: 'p', ...fields }))),
        pageAction,
      );
    expect(sent({ answers: 'x' }).body.answers).toEqual([]);
    const { body } = sent({ block_id: 'b', answer: 'accepted' });
    expect(body.answers).toEqual([{ block_id: 'b', answer: 'accepted', values: [] }]);
  });
});
