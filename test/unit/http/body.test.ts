import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { describe, expect, test } from 'vitest';
import { upsertContacts } from '../../../functions/contacts/upsert.ts';
import { pageAction } from '../../../functions/journeys/record-action.ts';
import { accountRecord } from '../../../lib/domain/accounts/account-record.ts';
import { normalizedPhone } from '../../../lib/domain/contacts/contact.ts';
import { contactRecord, identityErrors, parsedContact } from '../../../lib/domain/contacts/contact-record.ts';
import { folded } from '../../../lib/domain/contacts/directory.ts';
import { requestedLookup } from '../../../lib/domain/contacts/lookup.ts';
import { completionTime } from '../../../lib/domain/contacts/objective.ts';
import { batchRequest } from '../../../lib/domain/imports/batch.ts';
import { fill, namesPrivateData, noValues } from '../../../lib/domain/journeys/placeholders.ts';
import { canonicalNumber, parseJson } from '../../../lib/domain/values/json.ts';
import { FileBroken } from '../../../lib/files/bytes.ts';
import { openFile } from '../../../lib/files/file.ts';
import type { FileKind } from '../../../lib/files/kinds.ts';
import { bodyText, jsonBody, mediaType, refuseLargeBody } from '../../../lib/http/body.ts';
import { formFields, sentAction } from '../../../lib/http/form.ts';
import { credentialsInQuery, tokenRequest } from '../../../lib/http/token.ts';
import { checkedBody, checkedQuery } from '../../../lib/http/validation.ts';
import { confine } from '../../../lib/web/css/confine.ts';
import { cpuOf } from '../../support/cpu.ts';
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

/** Characters of the smaller input, and how many times as long the larger is: quadratic work takes 64 times as long. */
const length = 30_000;
const factor = 8;
const most = 24;
/** Measurements below this time, in milliseconds, are too inaccurate. */
const noise = 4;

/** The minimum CPU time of five runs, in milliseconds, because other activity can only add to it; at least `noise`. */
async function cost(run: () => unknown): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let each = 0; each < 5 && least >= noise; each++) least = Math.min(least, await cpuOf(run));
  return Math.max(least, noise);
}

const times = (text: string, characters: number) => text.repeat(Math.ceil(characters / text.length));
const entries = (characters: number, each: (index: number) => [string, unknown]) =>
  Object.fromEntries(Array.from({ length: Math.ceil(characters / 16) }, (_, index) => each(index)));

/** Ignores errors: only the time matters here. */
const attempt = (run: () => unknown): void => {
  try {
    run();
  } catch {}
};
const contact = parsedContact(identityErrors);
const event = (type: string, body: string, rawQueryString = '') =>
  ({
    headers: { 'content-type': type },
    body,
    isBase64Encoded: false,
    rawQueryString,
  }) as unknown as APIGatewayProxyEventV2;
const form = (body: string) => event('application/x-www-form-urlencoded', body);
async function read(text: string, name: string, kind: FileKind = 'accounts'): Promise<void> {
  const { chunks } = await openFile([Buffer.from(text)], { kind, name });
  try {
    for await (const _ of chunks);
  } catch (error) {
    // The end of the file may be inside quotes.
    if (!(error instanceof FileBroken)) throw error;
  }
}

type Work<Input> = [what: string, input: (characters: number) => Input, work: (input: Input) => unknown];
const work = <Input>(...each: Work<Input>) => each as unknown as Work<unknown>;
const product = { code: 'P', type: 'loan' };

const account = (what: string, fields: (characters: number) => object) =>
  work(
    `a record: ${what}`,
    (n) => ({ account_number: '1', ...fields(n) }),
    (record) => accountRecord.safeParse(record),
  );
const person = (what: string, fields: (characters: number) => object) =>
  work(what, (n) => ({ unique_id: 'u', ...fields(n) }), contact.parse);
const filled = (what: string, text: (characters: number) => string) => work(what, text, (each) => fill(each, noValues));
const css = (what: string, text: (characters: number) => string) =>
  work(`CSS: ${what}`, text, (each) => confine(each, '#r'));
const file = (what: string, name: string, text: (characters: number) => string, kind?: FileKind) =>
  work(what, text, (each) => read(each, name, kind));
const csv = (what: string, rows: (characters: number) => string) =>
  file(`CSV: ${what}`, 'a.csv', (n) => `account_number,contact.unique_id\n${rows(n)}`);
const tried = <Input>(what: string, input: (characters: number) => Input, run: (input: Input) => unknown) =>
  work(what, input, (each) => attempt(() => run(each)));

const kinds = [
  tried('JSON: digits of one number', (n) => `[${times('1', n)}]`, parseJson),
  work('JSON: numbers that keep their digits', (n) => `[${times('1e1,', n)}1]`, parseJson),
  work('JSON: zeros in a string beside such a number', (n) => `["${times('.00', n)}",1e1]`, parseJson),
  work(
    'JSON: objects with such numbers',
    (n) => JSON.stringify(entries(n, (at) => [`${at}`, 7])).replaceAll('7', '7e0'),
    parseJson,
  ),
  work('JSON: backslashes', (n) => `["${times('\\\\', n)}",1e1]`, parseJson),
  work('JSON: arrays in arrays', (n) => `[${times(`${'['.repeat(900)}1e1${']'.repeat(900)},`, n)}1]`, parseJson),
  work('JSON: zeros of a number', (n) => ({ rawJSON: `1.${times('0', n)}1` }), canonicalNumber),
  person('metadata: keys', (n) => ({ meta_public: entries(n, (at) => [`k${at}`, {}]) })),
  person('metadata: dotted keys', (n) => ({ meta_public: entries(n, (at) => [`k.${at}`, {}]) })),
  person('a contact: fields that nobody knows', (n) => entries(n, (at) => [`k${at}`, null])),
  person('a contact: blanks in a key', (n) => ({ unique_id: `${times(' ', n)}\0`, email: times('\t', n) })),
  account('dotted keys', (n) => entries(n, (at) => [`meta_public.k${at}`, null])),
  account('dotted keys beside their nested forms', (n) => ({
    product,
    meta_public: entries(n, (at) => [`k${at}`, null]),
    ...entries(n, (at) => [`meta_public.k${at}`, null]),
  })),
  account('digits of a decimal', (n) => ({ product, balance: `${times('1', n)}x` })),
  account('digits of a time', (n) => ({ product, opened_date: `2024-01-01T00:00:00.${times('1', n)}` })),
  work(
    'a batch: faults of its records',
    (n) => ({ type: 'accounts', records: times('1', n / 24).split('') }),
    (body) => checkedBody(batchRequest, body),
  ),
  work(
    'contacts: faults of their fields',
    (n) => ({
      contacts: Array.from({ length: 500 }, () => entries(n / 500, (at) => [Object.keys(contactRecord.shape)[at]!, 1])),
    }),
    (body) => checkedBody(upsertContacts.body!, body),
  ),
  work('phones', (n) => `${times('( ', n)}1${times(' -', n)}a`, normalizedPhone),
  work(
    'times of completion',
    (n) => `2024-01-01T00:00:00.${times('1', n)}`,
    (text) => completionTime(text, ''),
  ),
  work('search terms', (n) => times('Σ', n), folded),
  tried('selectors of a lookup', (n) => [[`meta_private${times('[a]', n)}[`, 'x'] as const], requestedLookup),
  tried(
    'parameters of a lookup',
    (n) => Object.entries(entries(n, (at) => [`a${at}`, ''])) as [string, string][],
    requestedLookup,
  ),
  work(
    'parameters of a list',
    (n) => event('', '', times('limit=1&', n)),
    (sent) => checkedQuery(contactRecord, sent),
  ),
  tried('the form of a token', (n) => form(times('a=1&', n / 16)), tokenRequest),
  work(
    'the query string of a token',
    (n) => event('', '', times('client_id=1&client_secret=2&', n)),
    credentialsInQuery,
  ),
  work('the form of a page', (n) => form(`a=${times('%41', n)}`), formFields),
  filled('placeholders that are not closed', (n) => times('{{a', n)),
  filled('placeholders', (n) => times('{{a}}', n)),
  work(
    'placeholders in search of private data',
    (n) => times('{{ a', n),
    (text) => namesPrivateData([text], {}),
  ),
  css('selectors', (n) => `${times('a,', n / 4)}b{color:red}`),
  css('blocks that are not closed', (n) => times('@media x{', n)),
  css('strings and escapes', (n) => `a{b:${times('"\\', n)}}`),
  file('NDJSON: lines', 'a.ndjson', (n) => times('{"a":1\n', n)),
  file('NDJSON: dotted keys of a line', 'a.ndjson', (n) =>
    JSON.stringify({ account_number: '1', ...entries(n, (at) => [`meta_public.k${at}`, null]) }),
  ),
  csv('lines with a stray quote', (n) => times('"a,b\n', n / 4)),
  csv('a quote that is never closed', (n) => `"${times('a\n', n / 2)}`),
  csv('quotes of one line', (n) => `${times('"",', n)}\n`),
  csv('blank lines', (n) => times('\n', n / 2)),
  file(
    'CSV: columns',
    'a.csv',
    (n) => `unique_id,${Object.keys(entries(n / 8, (at) => [`k${at}`, 1])).join(',')}\n`,
    'contacts',
  ),
];

describe('no body costs time that grows faster than its length', () => {
  test.each(kinds)('%s', async (_, input, run) => {
    const [small, large] = [input(length), input(length * factor)];
    // One run before the measurement, so that the code is compiled.
    await run(small);
    let growth = Number.POSITIVE_INFINITY;
    // Both are measured in turn, because a busy machine is slower for a while.
    for (let turn = 0; turn < 10 && growth >= most; turn++) {
      const expected = await cost(() => run(small));
      growth = Math.min(growth, (await cpuOf(() => run(large))) / expected);
    }
    expect(growth).toBeLessThan(most);
  });
});
