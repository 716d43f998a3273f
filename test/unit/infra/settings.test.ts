import { execFile } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { settingsFor } from '../../../infra/app.ts';
import { type SettingsInput, settingsOf } from '../../../infra/settings.ts';
import { stages } from '../../../infra/stages.ts';
import { ofRestoredTable, testApp } from '../../support/infra/synthesized.ts';

const errorsOf = (input: object): string[] => {
  try {
    settingsOf({ bank: input as SettingsInput }, 'bank');
    return [];
  } catch (error) {
    return (error as Error).message.split('\n');
  }
};
const certificate = (region: string) => `arn:aws:acm:${region}:111122223333:certificate/00000000-0000-0000`;
const domain = { name: 'api.bank.example', certificate: certificate('us-east-1') };
const origin = { name: 'origin.bank.example', certificate: certificate('eu-central-1') };
const vpc = { subnets: ['subnet-0123456789abcdef0'], securityGroups: ['sg-0123456789abcdef0'] };
const copiedTo = (copyTo: string) => ({ region: 'eu-west-1', backups: { copies: { copyTo } } });
const behindEdge = { region: 'eu-central-1', domain, edge: { origin } };

describe('a setting that is wrong is named with what is allowed', () => {
  test.each<[string, object]>([
    ['acount is no setting', { acount: '111122223333' }],
    [
      'webhooks.deniedRanges.0 must be a range of addresses, such as 203.0.113.0/24',
      { webhooks: { deniedRanges: ['203.0.113.7'] } },
    ],
    ['qualifier must be 1 to 10 letters, digits, hyphens and underscores', { qualifier: 'onboarding-bank' }],
    ['region must be set if encryptionKey is an ARN', { encryptionKey: 'arn:aws:kms:eu-west-1:111122223333:key/1' }],
    ['restoredStream must be in the region of the stack', { region: 'eu-west-1', ...ofRestoredTable }],
    ['restoredStream must be in the account of the stack', { account: '444455556666', ...ofRestoredTable }],
    [
      'backups.copies.copyTo must be a vault in another account or region',
      { ...copiedTo('arn:aws:backup:eu-west-1:777788889999:backup-vault:copies'), account: '777788889999' },
    ],
    [
      'backups.copies.copyTo must be in the partition of the stack',
      copiedTo('arn:aws-us-gov:backup:us-gov-west-1:777788889999:backup-vault:copies'),
    ],
    [
      'permissionsBoundary must be in the partition of the stack',
      { region: 'us-gov-west-1', permissionsBoundary: 'arn:aws:iam::111122223333:policy/Boundary' },
    ],
    [
      'stackName must be shorter: the name of the budget, which contains it and the region, has at most 100 characters',
      { stackName: 'a'.repeat(80), region: 'eu-central-1', monthlyBudget: 300 },
    ],
    ['throttles.token.rate is no setting', { throttles: { token: { rate: 5 } } }],
    ['account must be the 12 digits of an AWS account, as text', { account: 111122223333 }],
    ['region must be an AWS region, such as eu-central-1', { region: 'Frankfurt' }],
    [
      'vpc.securityGroups.0 must be an id such as sg-0123456789abcdef0',
      { vpc: { ...vpc, securityGroups: ['default'] } },
    ],
    [
      'monthlyBudget must not be set in AWS GovCloud (US), which has no AWS Budgets',
      { region: 'us-gov-west-1', monthlyBudget: 5 },
    ],
    [
      'domain.name must be a host name in lower case, such as api.bank.example',
      { domain: { ...domain, name: 'Bank' } },
    ],
    [
      'domain.certificate must be the ARN of a certificate in AWS Certificate Manager',
      { domain: { name: domain.name } },
    ],
    ['encryptionKey must be none, made or the ARN of a key in AWS KMS', { encryptionKey: 'aws/s3' }],
    [
      'restoredStream must be the ARN of the stream of a table',
      { restoredTable: 'restored', restoredStream: 'stream' },
    ],
    ['restoredStream must be the stream of restoredTable', { restoredTable: 'restored' }],
    [
      'restoredStream must be the stream of restoredTable',
      { restoredTable: 'other', restoredStream: ofRestoredTable.restoredStream },
    ],
    ['events.bus must be made or the ARN of an event bus', { events: { bus: 'bus' } }],
    [
      'events.bus must be in the region of the stack',
      { region: 'eu-central-1', events: { bus: 'arn:aws:events:us-east-1:111122223333:event-bus/bus' } },
    ],
    ['retention.events must be a whole number from 1 to 3650', { retention: { events: 0 } }],
    ['tokenLifetimeSeconds must be a whole number from 60 to 86400', { tokenLifetimeSeconds: 59 }],
    ['tokenLifetimeSeconds must be a whole number from 60 to 86400', { tokenLifetimeSeconds: '3600' }],
    ['throttles.token.rateLimit must be a whole number from 1 to 100000', { throttles: { token: { rateLimit: 0 } } }],
    ['alarmEmails.1 must be an email address', { alarmEmails: ['a@bank.example', 'b'] }],
    ['retention.audit must be a whole number from 1 to 36500', { retention: { audit: 40_000 } }],
    ['backups.pointInTimeDays must be a whole number from 1 to 35', { backups: { pointInTimeDays: 36 } }],
    ['removal.data must be one of retain, destroy', { removal: { data: 'delete' } }],
    ['docs must be true or false', { docs: 'yes' }],
    ['importWorker.maxConcurrency must be a whole number from 2 to 1000', { importWorker: { maxConcurrency: 1 } }],
    ['reservedConcurrency.import-wroker is no setting', { reservedConcurrency: { 'import-wroker': 5 } }],
    ['permissionsBoundary must be the ARN of a managed policy of IAM', { permissionsBoundary: 'Boundary' }],
    ['edge.originSecrets must have one or two names', { ...behindEdge, edge: { origin, originSecrets: [] } }],
    [
      'edge.webAcl must be made or the ARN of a global web ACL of AWS WAF',
      { ...behindEdge, edge: { origin, webAcl: 'arn:aws:wafv2:eu-central-1:111122223333:regional/webacl/a/b' } },
    ],
  ])('%s', (error, input) => {
    expect(errorsOf(input)).toEqual([`bank: ${error}`]);
  });

  test('for a log also with the periods that CloudWatch Logs has', () => {
    expect(errorsOf({ retention: { logs: 100 } })).toEqual([
      expect.stringMatching(/^bank: retention\.logs must be one of 1, /),
    ]);
  });

  test.each([['http://a.example'], ['https://a.example; script-src *'], ['*', 'https://a.example']])(
    'for the sites that may frame content: %s',
    (...frameAncestors) => {
      expect(errorsOf({ frameAncestors })).toEqual([
        'bank: frameAncestors must be a list of up to 20 origins such as https://www.bank.example, or only *',
      ]);
    },
  );

  test('all of them, one in a line', () => {
    expect(errorsOf({ docs: 1, account: '1' })).toHaveLength(2);
  });
});

describe('the limits of requests', () => {
  const rateIn = (region: string) => settingsOf({ bank: { region } }, 'bank').throttles.partners.rateLimit;

  test('are half of the quota of a new account, also where the quota is a quarter', () => {
    expect(['eu-central-1', 'eusc-de-east-1', 'eu-central-2', 'eu-south-1'].map(rateIn)).toEqual([
      5000, 5000, 1250, 1250,
    ]);
    const set = { region: 'eu-central-2', throttles: { partners: { rateLimit: 4000 } } };
    expect(settingsOf({ bank: set }, 'bank').throttles.partners).toEqual({ rateLimit: 4000, burstLimit: 1250 });
  });
});

describe('settings that belong together', () => {
  test('are accepted together', () => {
    expect(errorsOf({ ...behindEdge, stackName: 'a'.repeat(32) })).toEqual([]);
    expect(errorsOf(copiedTo('arn:aws:backup:eu-west-1:777788889999:backup-vault:copies'))).toEqual([]);
    expect(errorsOf({ domain: { ...domain, certificate: certificate('eu-central-1') } })).toEqual([]);
  });

  test.each<[string, object]>([
    ['region must be set if edge is set', { region: undefined }],
    ['domain must be set if edge is set', { domain: undefined }],
    [
      'stackName must be shorter: with edge, its names of at most 60 characters also contain the region',
      { stackName: 'a'.repeat(33) },
    ],
    [
      'domain.certificate must be in the region of the stack or, if edge is set, in us-east-1',
      { domain: { ...domain, certificate: certificate('eu-central-1') } },
    ],
    [
      'edge.origin.certificate must be in the region of the stack',
      { edge: { origin: { ...origin, certificate: certificate('us-east-1') } } },
    ],
    [
      'edge.directCertificate must be in the region of the stack',
      { edge: { origin, directCertificate: certificate('us-east-1') } },
    ],
    ['edge.origin.name must not be the name of the domain', { edge: { origin: { ...origin, name: domain.name } } }],
    ['edge.originSecrets must not have the same name twice', { edge: { origin, originSecrets: ['a', 'a'] } }],
    [
      'encryptionKey must be in the region of the stack',
      { encryptionKey: 'arn:aws:kms:eu-west-1:111122223333:key/1234' },
    ],
    [
      'edge.encryptionKey must be in us-east-1',
      { edge: { origin, encryptionKey: 'arn:aws:kms:eu-central-1:111122223333:key/1234' } },
    ],
  ])('%s', (error, change) => {
    expect(errorsOf({ ...behindEdge, ...change })).toEqual([`bank: ${error}`]);
  });
});

describe('the stage', () => {
  test.each(Object.keys(stages))('%s has valid settings', (stage) => {
    expect(() => settingsOf(stages, stage)).not.toThrow();
  });

  test('is the one that is named', () => {
    expect(settingsFor(testApp({ context: { stage: 'staging' } }).app)).toEqual(settingsOf(stages, 'staging'));
  });

  test.each([{}, { stage: 'prod' }])('must be named, and one of the file: %j', (context) => {
    expect(() => settingsFor(testApp({ context }).app)).toThrow(
      '-c stage=<name> must name one of development, staging, production',
    );
  });

  test('that is wrong ends the synthesis with one line', async () => {
    const context = { ...process.env, CDK_CONTEXT_JSON: JSON.stringify({ stage: 'prod' }) };
    const run = new Promise<[number, string]>((resolve) => {
      const child = execFile(process.execPath, ['infra/app.ts'], { env: context }, (_, __, stderr) =>
        resolve([child.exitCode ?? 0, stderr]),
      );
    });
    expect(await run).toEqual([1, '-c stage=<name> must name one of development, staging, production\n']);
  });
});
