import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { type Json, listOf, synthesize } from '../../support/infra/synthesized.ts';

const region = 'eu-central-1';
const account = '111122223333';
const ofAccount = { account, region };

describe('the key that the stack makes', () => {
  const policyOf = (): Json[] =>
    synthesize({ ...ofAccount, encryptionKey: 'made' }).the('AWS::KMS::Key').Properties.KeyPolicy.Statement;

  test('may be used by the services that docs/deployment.md lists for a key of the institution', () => {
    const page = readFileSync('docs/deployment.md', 'utf8').split('must contain these statements:')[1]!;
    const [, text = ''] = /```text\n(.*?)```/s.exec(page)!;
    const documented: Json[] = JSON.parse(text.replaceAll('<region>', region).replaceAll('<account>', account));
    const flat = (statements: Json[]) =>
      statements.flatMap(({ Principal, Action, Resource, Condition }) =>
        listOf<string>(Principal.Service).map((service) => [service, [...Action].sort(), Resource, Condition]),
      );
    const made = JSON.stringify(flat(policyOf().slice(1))).replaceAll(
      /\{"Fn::Join":\["",\["arn:",\{"Ref":"AWS::Partition"\},"(.*?)"\]\]\}/g,
      '"arn:aws$1"',
    );
    expect(JSON.parse(made)).toEqual(flat(documented));
  });

  test('lets only the account administer it', () => {
    const [administers, ...services] = policyOf();
    expect(administers.Action).toBe('kms:*');
    expect(JSON.stringify(administers.Principal)).toContain(`:iam::${account}:root`);
    for (const { Condition } of services) expect(Object.keys(Condition)).toHaveLength(1);
  });
});

describe('a key of the institution', () => {
  const arn = `arn:aws:kms:${region}:${account}:key/11111111-2222-3333-4444-555555555555`;
  const stack = synthesize({ ...ofAccount, encryptionKey: arn });

  test('encrypts what the stack stores, and the stack makes no other', () => {
    expect(stack.ofType('AWS::KMS::Key')).toEqual([]);
    const encrypted = {
      'AWS::SQS::Queue': 'KmsMasterKeyId',
      'AWS::SNS::Topic': 'KmsMasterKeyId',
      'AWS::Logs::LogGroup': 'KmsKeyId',
      'AWS::SecretsManager::Secret': 'KmsKeyId',
    };
    for (const [type, property] of Object.entries(encrypted)) {
      for (const { Properties } of stack.ofType(type)) expect(Properties[property]).toBe(arn);
    }
  });

  test('is granted to the functions that store or read', () => {
    const statement = (id: string, sid: string): Json =>
      stack.functions.get(id)!.statements.find(({ Sid }: Json) => Sid === sid);
    expect(statement('get-contact', 'Keydynamodb')).toEqual({
      Sid: 'Keydynamodb',
      Effect: 'Allow',
      Action: ['kms:Decrypt', 'kms:DescribeKey'],
      Resource: arn,
      Condition: { StringEquals: { 'kms:ViaService': `dynamodb.${region}.amazonaws.com` } },
    });
    const writing = ['kms:Decrypt', 'kms:DescribeKey', 'kms:GenerateDataKey'];
    expect(statement('create-batch', 'Keysqs').Action).toEqual(writing);
    expect(statement('drop-box-reader', 'Keys3').Action).toEqual(writing);
    expect(statement('rotate-signing-key', 'Keysecretsmanager').Action).toEqual(writing);
    expect(statement('create-token', 'Keysecretsmanager').Action).toEqual(['kms:Decrypt', 'kms:DescribeKey']);
    expect(statement('get-openapi', 'Keydynamodb')).toBeUndefined();
  });
});

test('without a key, no function has a permission on one', () => {
  const statements = [...synthesize().functions.values()].flatMap((each) => each.statements);
  expect(JSON.stringify(statements)).not.toContain('kms:');
});
