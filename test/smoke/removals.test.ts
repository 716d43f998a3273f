import { expect, test } from 'vitest';
import type { Statement } from '../../bin/rehearse/aws.ts';
import { partsOfStatement } from '../../bin/rehearse/removals.ts';

const labels = (statement: Omit<Statement, 'Effect'>) =>
  partsOfStatement({ Effect: 'Allow', ...statement }).map(({ label }) => label);
const limitedTo = (...keys: string[]) => ({ 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': keys } });
const table = 'arn:aws:dynamodb:us-east-1:000000000000:table/Data';

test('each action and each partition is removed on its own', () => {
  const statement: Statement = {
    ...{ Sid: 'Write', Effect: 'Allow', Action: ['dynamodb:PutItem', 'dynamodb:PartiQLInsert'], Resource: table },
    Condition: limitedTo('T#*', 'S#*'),
  };
  const parts = partsOfStatement(statement);
  expect(parts.map(({ label }) => label)).toEqual(['Write PutItem', 'Write PartiQLInsert', 'Write T#*', 'Write S#*']);
  expect(parts[0]!.without).toEqual({ ...statement, Action: ['dynamodb:PartiQLInsert'] });
  expect(parts[3]!.without).toEqual({ ...statement, Condition: limitedTo('T#*') });
});

test('each index and each pattern of objects is removed on its own', () => {
  const indexes = ['lookup_1', 'lookup_2'].map((name) => `${table}/index/${name}`);
  expect(labels({ Sid: 'Lookup', Action: 'dynamodb:Query', Resource: indexes, Condition: limitedTo('T#*') })).toEqual([
    'Lookup lookup_1',
    'Lookup lookup_2',
  ]);
  const objects = ['work/*', '*/accounts/*'].map((pattern) => `arn:aws:s3:::drop-box/${pattern}`);
  expect(labels({ Sid: 'WriteFiles', Action: ['s3:PutObject'], Resource: objects })).toEqual([
    'WriteFiles work/*',
    'WriteFiles */accounts/*',
  ]);
});

test('a statement with one part is removed as a whole', () => {
  const [part] = partsOfStatement({ Sid: 'Send', Effect: 'Allow', Action: 'sqs:SendMessage', Resource: 'queue' });
  expect(part).toEqual({ label: 'Send (whole)', without: undefined });
});

test('what the emulator does itself is not removed: logs, and receiving from a queue', () => {
  expect(labels({ Sid: 'Log', Action: ['logs:PutLogEvents'], Resource: 'group' })).toEqual([]);
  const receives = ['sqs:ReceiveMessage', 'sqs:DeleteMessage', 'sqs:GetQueueAttributes'];
  expect(labels({ Sid: 'Consume', Action: receives, Resource: 'queue' })).toEqual([]);
  expect(labels({ Sid: 'Consume', Action: [...receives, 'sqs:ChangeMessageVisibility'], Resource: 'queue' })).toEqual([
    'Consume ChangeMessageVisibility',
  ]);
});
