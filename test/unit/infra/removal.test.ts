import { expect, test } from 'vitest';
import { stages } from '../../../infra/stages.ts';
import { type Json, synthesize, synthesizeEdge, synthesizeProduction } from '../../support/infra/synthesized.ts';

const production = synthesizeProduction();
const elsewhere = {
  region: 'eu-west-1',
  edge: { origin: { name: 'origin.bank.example', certificate: 'arn:aws:acm:eu-west-1:444455556666:certificate/1' } },
};
const stored = /^AWS::(DynamoDB::GlobalTable|S3::Bucket|KMS::Key|Backup::BackupVault|Logs::LogGroup)$/;
const all = [production.stack.resources, production.edge.toJSON().Resources as Record<string, Json>];

test('data and logs outlive the stack, and only the protected table a creation that failed', () => {
  for (const [logicalId, { Type, DeletionPolicy, UpdateReplacePolicy }] of all.flatMap(Object.entries)) {
    if (!stored.test(Type)) continue;
    const expected = Type === 'AWS::DynamoDB::GlobalTable' ? 'Retain' : 'RetainExceptOnCreate';
    expect([logicalId, DeletionPolicy, UpdateReplacePolicy]).toEqual([logicalId, expected, 'Retain']);
  }
});

test('what is left behind has no name that the next stack needs', () => {
  const names = ['TableName', 'BucketName', 'BackupVaultName', 'LogGroupName'];
  const given = all
    .flatMap(Object.values)
    .filter(({ Type }) => stored.test(Type))
    .flatMap(({ Properties }) => names.flatMap((name) => Properties[name] ?? []));
  expect(given).toHaveLength(4);
  for (const name of given) expect(JSON.stringify(name)).toContain('AWS::StackId');
});

test('data keeps its logical ids: with another id, CloudFormation makes it anew and leaves the old one behind', () => {
  const isData = ({ Type }: Json) => /Table$|Bucket$|Key$|Queue$|Secret$|Topic$|BackupVault$/.test(Type);
  const ids = Object.entries(production.stack.resources).flatMap(([id, each]) => (isData(each) ? [id] : []));
  expect(ids).toEqual([
    'Key961B73FD',
    'DataTableFDBAD0F2',
    'StreamFailures2F4A8761',
    'ImportsDeadLetters741CB14C',
    'ImportsQueue807CB1E9',
    'WebhooksDeadLettersA656B8E7',
    'WebhooksQueueCBC86013',
    'TargetingDeadLetters6D076D87',
    'TargetingQueueB2A9FD08',
    'DropBoxNoticesDeadLetters2B3F7133',
    'DropBoxNoticesDD08CAEC',
    'DropBoxFilesDeadLettersC7757BBB',
    'DropBoxFilesEBFA051A',
    'DropBoxAccessLogsED8421E2',
    'DropBoxBucket343ACF77',
    'ImagesBucket4B6DB8E1',
    'SigningKeysSecret03AFF407',
    'JournalBucket5A21B06D',
    'MonitoringAlarmsPage0AD7255C',
    'MonitoringAlarmsNotifyD0304778',
    'BackupsVault1F11AFCC',
    'OriginSecretsSecreta5F4BD770',
    // Of the nested stack.
    'DueDeadLetters0DED3BEF',
    'Due5EF6A41D',
    'ReportsDeadLettersF320C06E',
    'Reports65402A0A',
    'Secret',
  ]);
});

test('stacks of the same name in two regions share no name in the account', () => {
  const other = synthesizeEdge({ ...stages.production, ...elsewhere, monthlyBudget: 300 });
  const namesOf = ({ stack, edgeStack }: typeof other) => [
    edgeStack.stackName,
    stack.ofType('AWS::CloudWatch::Dashboard')[0].Properties.DashboardName,
    stack.ofType('AWS::Budgets::Budget')[0].Properties.Budget.BudgetName,
    stack.resources.OriginSecretsSecreta5F4BD770!.Properties.Name,
  ];
  for (const [at, name] of namesOf(other).entries()) expect(name).not.toEqual(namesOf(production)[at]);
});

test('the logs that AWS delivers have the prefix that takes no room in the policy of the account', () => {
  const delivered = [
    production.stack.ofType('AWS::ApiGatewayV2::Stage')[0].Properties.AccessLogSettings.DestinationArn,
    Object.values(production.edge.findResources('AWS::Logs::DeliveryDestination'))[0]!.Properties
      .DestinationResourceArn,
  ];
  for (const [at, arn] of delivered.entries()) {
    const { LogGroupName } = all[at]![arn['Fn::GetAtt'][0]].Properties;
    expect(LogGroupName['Fn::Join'][1][0]).toMatch(/^\/aws\/vendedlogs\//);
  }
});

test('a stack that keeps its data cannot be deleted by mistake, and one that does not can be deleted', () => {
  const staging = synthesize(stages.staging);
  for (const { logicalId, DeletionPolicy } of staging.ofType('AWS::S3::Bucket')) {
    // S3 writes to it until the end, so it is never empty.
    const expected = /AccessLogs/.test(logicalId) ? 'RetainExceptOnCreate' : 'Delete';
    expect([logicalId, DeletionPolicy]).toEqual([logicalId, expected]);
  }
  const stacks = [production.stack.stack, production.edgeStack, staging.stack];
  expect(stacks.map(({ terminationProtection }) => terminationProtection)).toEqual([true, true, false]);
});
