import { expect, test } from 'vitest';
import { objectsIn } from '../../../lib/store/drop-box/object-events.ts';

const record = (key: string, bucket = 'drop-box') => ({
  eventName: 'ObjectCreated:Put',
  eventTime: '2026-03-01T02:00:00.123Z',
  s3: { bucket: { name: bucket }, object: { key, versionId: 'v1', size: 1, eTag: 'e', sequencer: '0A' } },
});
const read = (message: unknown) => objectsIn(JSON.stringify(message), 'drop-box');

test('keys arrive as a form is encoded', () => {
  const Records = [record('team/accounts/a+b%2Bc+%C3%BC.csv'), record('team/contacts/100%25.csv')];
  expect(read({ Records }).map(({ key }) => key)).toEqual(['team/accounts/a b+c ü.csv', 'team/contacts/100%.csv']);
});

test('when it arrived, how large it is and its ETag are told too', () => {
  expect(read({ Records: [record('a')] })).toEqual([
    { key: 'a', version: 'v1', received_at: '2026-03-01T02:00:00.123000Z', size: 1, etag: 'e' },
  ]);
});

test('a message of an object of which S3 says none of it tells none', () => {
  const { eventTime, s3, ...rest } = record('a');
  const { size, eTag, ...object } = s3.object;
  expect(read({ Records: [{ ...rest, s3: { ...s3, object } }] })).toStrictEqual([{ key: 'a', version: 'v1' }]);
});

test('what another bucket says, and what S3 says to try the queue, tells of nothing', () => {
  expect(read({ Records: [record('a', 'another')] })).toEqual([]);
  expect(read({ Service: 'Amazon S3', Event: 's3:TestEvent', Bucket: 'drop-box' })).toEqual([]);
});

test.each(['no JSON', '[]', '{"Records":[{}]}', JSON.stringify({ Records: [record('%E0')] })])(
  '%s is no message of S3',
  (body) => expect(() => objectsIn(body, 'drop-box')).toThrow(),
);
