import { describe, expect, test } from 'vitest';
import { backgroundFunctions, messageFunctions } from '../../../lib/background.ts';
import type { Grants, WriteAction } from '../../../lib/grants.ts';
import { defaultRoute, docsRoutes, ownFunctions } from '../../../lib/routes.ts';
import { type ItemKind, itemKinds } from '../../../lib/store/table/item-kinds.ts';
import { storedKeys } from '../../support/engine/stored-keys.ts';
import { type Json, listOf, sending, synthesize } from '../../support/infra/synthesized.ts';

const stack = synthesize({ docs: true, ...sending });

const grants = new Map<string, Grants>(
  [...ownFunctions, ...docsRoutes, defaultRoute, ...backgroundFunctions, ...messageFunctions].map((each) => [
    each.id,
    each.grants,
  ]),
);
const ids = [...grants.keys()];
const statementsOf = (id: string): Json[] => stack.functions.get(id)!.statements;
const actionsOf = (id: string): string[] => statementsOf(id).flatMap(({ Action }) => listOf<string>(Action));
const whoMay = (action: string): string[] => stack.whoMay(action).sort();
const whoSendsTo = (queue: RegExp): string[] => {
  const sends = ({ Action, Resource }: Json) =>
    listOf<string>(Action).includes('sqs:SendMessage') && queue.test(Resource['Fn::GetAtt'][0]);
  return ids.filter((id) => statementsOf(id).some(sends)).sort();
};
/** The kinds of items that the function may write with the action. */
const writable = (id: string, action: WriteAction): readonly ItemKind[] => {
  const { write, records = false, ends = false } = grants.get(id)!;
  const added: ItemKind[] = action === 'PartiQLInsert' && records ? ['audit'] : [];
  const ended: ItemKind[] = action === 'UpdateItem' && ends ? ['journeyId'] : [];
  return [...(write?.by.includes(action) ? write.items : []), ...added, ...ended];
};
/** The patterns reach every item of these kinds, and each of them is the partition of one. */
function expectOnly(patterns: readonly string[], kinds: readonly ItemKind[]): void {
  const shapes = kinds.map((kind) => itemKinds[kind].pk.replaceAll(/<\w+>/g, '*'));
  expect(patterns.filter((each) => !shapes.includes(each))).toEqual([]);
  const isReached = (pk: string) => patterns.some((each) => new RegExp(`^${each.replaceAll('*', '.*')}$`).test(pk));
  const named = storedKeys.filter(([kind]) => kinds.includes(kind));
  expect(named.filter(([, { pk }]) => !isReached(pk))).toEqual([]);
}
const granted = (name: keyof Grants): string[] => ids.filter((id) => grants.get(id)?.[name]).sort();

/** The partitions of the table, or of its index, that the action may be used on. */
const partitionsOf = (id: string, action: string, index?: 'directory' | 'lookup_'): string[] =>
  statementsOf(id)
    .filter(({ Action }) => listOf<string>(Action).includes(`dynamodb:${action}`))
    .filter(({ Resource }) => JSON.stringify(Resource).includes(`/index/${index ?? ''}`) === (index !== undefined))
    .flatMap(({ Condition }) => listOf<string>(Condition['ForAllValues:StringLike']['dynamodb:LeadingKeys']));

/** What test/unit/infra/promises.test.ts leaves open of the guarantees of docs/security.md. */
describe('no function', () => {
  /** Those that the Service Authorization Reference lists with `dynamodb:LeadingKeys`; Scan and exports are not. */
  const bounded = /^dynamodb:(BatchGetItem|Query|PartiQL(Insert|Update)|(Put|Update|Delete|ConditionCheck)Item)$/;

  test('reaches an item but by an action that is bounded to partitions, and within them', () => {
    for (const { Sid, Action, Condition } of ids.flatMap(statementsOf)) {
      if (Sid === 'ReadStream') continue;
      const table = listOf<string>(Action).filter((action) => action.startsWith('dynamodb:'));
      if (table.length === 0) continue;
      expect(table.filter((action) => !bounded.test(action))).toEqual([]);
      expect(listOf(Condition['ForAllValues:StringLike']['dynamodb:LeadingKeys']).length).toBeGreaterThan(0);
    }
  });

  test('but the one that erases can delete anything of a team but what lists its work, its revisions, and its webhooks', () => {
    const removable = ids.filter((id) => id !== 'erasure-worker').flatMap((id) => partitionsOf(id, 'DeleteItem'));
    expect([...new Set(removable)].sort()).toEqual([
      ...['T#*#DUE', 'T#*#G#*', 'T#*#N#*', 'T#*#Q', 'T#*#Q#COMPLETIONS', 'T#*#Q#MESSAGES', 'T#*#Q#TARGETING#*'],
      // A revision that waits for its time, beside the history.
      ...['T#*#Q#WALKS', 'T#*#R'],
      ...['T#*#W', 'T#*#W#*', 'WEBHOOK#*'],
    ]);
  });

  test('but those that store accounts can write anything of a team', () => {
    const writing = ids.filter((id) => partitionsOf(id, 'PutItem').includes('T#*'));
    expect(writing.sort()).toEqual(['create-batch', 'drop-box-reader', 'import-worker', 'sweeper']);
  });

  test('that writes contacts can write imports, events or webhooks', () => {
    for (const id of ['upsert-contacts', 'update-contact', 'create-journey']) {
      const written = ['PartiQLInsert', 'PartiQLUpdate', 'PutItem', 'UpdateItem'].flatMap((action) =>
        partitionsOf(id, action),
      );
      expect([...new Set(written)].sort()).toEqual(['S#*', 'T#*#C#*', 'T#*#DUE', 'T#*#J#*']);
    }
  });
});

describe('only what its grants say', () => {
  test.each(['PartiQLInsert', 'PartiQLUpdate', 'PutItem', 'UpdateItem'] as const)('lets a function %s', (action) => {
    for (const id of ids) expectOnly(partitionsOf(id, action), writable(id, action));
  });

  test('lets a function delete items, and the one that erases those in the partitions of what an erasure deletes', () => {
    for (const id of ids) expectOnly(partitionsOf(id, 'DeleteItem'), grants.get(id)!.remove ?? []);
    const deleted = Object.values(itemKinds).filter(({ erased }) => erased !== 'kept' && erased !== 'cleared');
    const removable = grants.get('erasure-worker')!.remove!.map((kind) => itemKinds[kind]);
    expect(new Set(removable.map(({ pk }) => pk))).toEqual(new Set(deleted.map(({ pk }) => pk)));
  });

  test('lets a function send to the queues of imports, dropped files and webhooks', () => {
    expect(whoSendsTo(/^Imports/)).toEqual(granted('sends'));
    expect(whoSendsTo(/^DropBoxFiles/)).toEqual(granted('forwards'));
    expect(whoSendsTo(/^Webhooks/)).toEqual(granted('notifies'));
  });

  test('lets a function read and write objects of the drop box, by their keys', () => {
    const bucket = stack.the('AWS::S3::Bucket', /^DropBoxBucket/);
    const keysOf = (id: string, action: string) =>
      statementsOf(id)
        .filter(
          ({ Sid, Action }) =>
            !/^ReadImages|^ListErasure|^AddToJournal/.test(Sid) && listOf<string>(Action).includes(action),
        )
        .flatMap(({ Resource }) => listOf<Json>(Resource))
        .map(({ 'Fn::Join': [, [arn, key]] }) => {
          expect(arn).toEqual({ 'Fn::GetAtt': [bucket.logicalId, 'Arn'] });
          return key.slice(1);
        });
    for (const id of ids) {
      const { files: { read = [], write = [] } = {}, erases = false } = grants.get(id) ?? {};
      expect(keysOf(id, 's3:GetObject').sort()).toEqual(erases ? [] : [...read].sort());
      expect(keysOf(id, 's3:GetObjectVersion').sort()).toEqual([...read].sort());
      expect(keysOf(id, 's3:PutObject').sort()).toEqual([...write].sort());
    }
    const actions = ids.flatMap(actionsOf).filter((action) => action.startsWith('s3:'));
    const erasing = ['s3:DeleteObjectVersion', 's3:ListBucketVersions'];
    expect([...new Set(actions)].sort()).toEqual(
      [...erasing, 's3:GetObject', 's3:GetObjectVersion', 's3:PutObject'].sort(),
    );
    for (const action of erasing) expect(whoMay(action)).toEqual(granted('erases'));
  });

  test('lets a function read images, which are all under one prefix of their bucket, and do nothing else there', () => {
    const bucket = stack.the('AWS::S3::Bucket', /^ImagesBucket/);
    const all = ids.flatMap((id) => statementsOf(id).map((statement) => ({ id, ...statement })));
    const reaching = all.filter(({ Resource }) => JSON.stringify(Resource).includes(bucket.logicalId));
    const adds = { Effect: 'Allow', Action: 's3:PutObject' };
    const entries = { 'Fn::Join': ['', [{ 'Fn::GetAtt': [bucket.logicalId, 'Arn'] }, '/erasures/*']] };
    expect(reaching.filter(({ Sid }) => Sid !== 'ReadImages')).toEqual([
      { id: 'erasure-worker', Sid: 'ListErasure', ...adds, Resource: entries },
    ]);
    expect(reaching.filter(({ Sid }) => Sid === 'ReadImages').map(({ id }) => id)).toEqual(granted('images'));
    expect(statementsOf('get-file').slice(1)).toEqual([
      {
        Sid: 'ReadImages',
        Effect: 'Allow',
        Action: 's3:GetObject',
        Resource: { 'Fn::Join': ['', [{ 'Fn::GetAtt': [bucket.logicalId, 'Arn'] }, '/files/*']] },
      },
    ]);
  });

  test('lets a function use the directory index, and the lookup indexes, all four', () => {
    expect(ids.filter((id) => partitionsOf(id, 'Query', 'directory').length > 0).sort()).toEqual(granted('directory'));
    expect(ids.filter((id) => partitionsOf(id, 'Query', 'lookup_').length > 0)).toEqual(granted('lookup'));
    const [statement] = statementsOf('search-content-containers').filter(({ Sid }) => Sid === 'Lookup');
    const names = listOf(statement.Resource).map((each) => JSON.stringify(each).match(/index\/(\w+)/)?.[1]);
    expect(names).toEqual(['lookup_1', 'lookup_2', 'lookup_3', 'lookup_4']);
  });

  test('lets a function query within teams', () => {
    const within = (id: string) => partitionsOf(id, 'Query').some((partition) => partition.startsWith('T#*'));
    expect(ids.filter(within).sort()).toEqual(granted('queries'));
  });

  test.each([
    ['get-contact', { read: ['CLIENT#*', 'T#*'], query: ['KEYS'] }],
    ['get-batch', { read: ['CLIENT#*', 'T#*'], query: ['KEYS', 'T#*'] }],
    ['get-jwks', { read: [], query: ['KEYS'] }],
    ['list-events', { read: ['CLIENT#*', 'T#*'], query: ['KEYS', 'T#*#E', 'T#*#W', 'T#*#W#*'] }],
    ['erase-contact', { read: ['CLIENT#*', 'T#*'], query: ['ERASURES', 'KEYS'] }],
    ['sweeper', { read: ['T#*'], query: ['T#*', 'TEAMS', 'EXPECTED'] }],
    ['webhook-delivery', { read: ['T#*#E', 'T#*#W', 'WEBHOOK#*'], query: ['T#*#E', 'T#*#W#*'] }],
    ['get-openapi', { read: [], query: [] }],
    ['no-route', { read: [], query: [] }],
  ])('lets %s read', (id, { read, query }) => {
    expect(partitionsOf(id, 'BatchGetItem').sort()).toEqual(read);
    expect(partitionsOf(id, 'Query').sort()).toEqual(query.sort());
  });
});

test('the audit log is appended to by the functions of tokens, webhooks, erasures, cancelled journeys and publications alone, and nothing else is done to it', () => {
  const entry = 'AUDIT#8f3c1a52-7f0e-4b5d-9a63-2f6f0c1de001#2026-03';
  const reaches = (action: string): string[] =>
    ids.filter((id) =>
      partitionsOf(id, action).some((pattern) => new RegExp(`^${pattern.replaceAll('*', '.*')}$`).test(entry)),
    );
  expect(reaches('PartiQLInsert').sort()).toEqual([
    'confirm-journey',
    'create-token',
    'create-webhook',
    'erase-contact',
    'erasure-worker',
    'import-worker',
    'webhook-delivery',
  ]);
  for (const action of ['BatchGetItem', 'Query', 'PartiQLUpdate', 'PutItem', 'UpdateItem', 'DeleteItem']) {
    expect(reaches(action)).toEqual([]);
  }
});

test('messages of a queue are taken by the functions that it triggers, and put back early by five', () => {
  const background = [...backgroundFunctions, ...messageFunctions];
  const triggered = background.filter(({ trigger }) => 'queue' in trigger).map(({ id }) => id);
  for (const action of ['DeleteMessage', 'GetQueueAttributes', 'ReceiveMessage']) {
    expect(whoMay(`sqs:${action}`)).toEqual(triggered.sort());
  }
  const early = ['drop-box-reader', 'import-worker', 'message-sender', 'targeting-worker', 'webhook-delivery'];
  expect(whoMay('sqs:ChangeMessageVisibility')).toEqual(early);
});

describe('the stream of the table', () => {
  test('is read for the function that it triggers, and what this fails on goes to its queue', () => {
    const reading = ['DescribeStream', 'GetRecords', 'GetShardIterator', 'ListStreams'];
    for (const action of reading) expect(whoMay(`dynamodb:${action}`)).toEqual(['event-publisher']);
    const [statement] = statementsOf('event-publisher').filter(({ Sid }) => Sid === 'ReadStream');
    const { logicalId } = stack.the('AWS::DynamoDB::GlobalTable');
    expect(statement.Resource).toEqual({ 'Fn::GetAtt': [logicalId, 'StreamArn'] });
    expect(whoSendsTo(/^StreamFailures/)).toEqual(['event-publisher']);
  });
});

describe('the private signing keys', () => {
  test('are written by the rotation alone, which cannot read them', () => {
    const writing = ['DescribeSecret', 'PutSecretValue', 'UpdateSecretVersionStage'];
    for (const action of writing) expect(whoMay(`secretsmanager:${action}`)).toEqual(['rotate-signing-key']);
    expect(actionsOf('rotate-signing-key').filter((action) => action.startsWith('secretsmanager:'))).toHaveLength(3);
  });

  test('are rotated at the deployment, once Secrets Manager may call the function, and every 90 days', () => {
    const rotation = stack.functions.get('rotate-signing-key')!.logicalId;
    const schedule = stack.the('AWS::SecretsManager::RotationSchedule');
    expect(schedule.Properties).toMatchObject({
      SecretId: { Ref: stack.the('AWS::SecretsManager::Secret', /^SigningKeys/).logicalId },
      RotationLambdaARN: { 'Fn::GetAtt': [rotation, 'Arn'] },
      RotationRules: { AutomaticallyAfterDays: 90 },
      RotateImmediatelyOnUpdate: true,
    });
    const [permission] = listOf<string>(schedule.DependsOn);
    expect(stack.resources[permission!].Properties).toMatchObject({
      FunctionName: { 'Fn::GetAtt': [rotation, 'Arn'] },
      Principal: 'secretsmanager.amazonaws.com',
      SourceAccount: { Ref: 'AWS::AccountId' },
    });
  });
});
