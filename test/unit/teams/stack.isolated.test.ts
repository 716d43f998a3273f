import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, expect, inject, test, vi } from 'vitest';
import { callerArn, deployedInstallation } from '../../../bin/admin/installation.ts';
import { createTeam } from '../../../bin/admin/operations/teams/teams.ts';
import { listTeams } from '../../../lib/store/teams/teams.ts';
import { freshTable, localCredentials, localRegion } from '../../support/engine/engine.ts';
import { serviceOn } from '../../support/operations/operations.ts';

/** The outputs of each stack that CloudFormation returns. */
const stacks = new Map<string, Record<string, string>>();
/** Whom STS knows the caller as. */
let identity: string | undefined;
let server: Server;
beforeAll(async () => {
  server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request.setEncoding('utf8')) body += chunk;
    if (new URLSearchParams(body).get('Action') === 'GetCallerIdentity') {
      response.writeHead(identity ? 200 : 403, { 'content-type': 'text/xml' });
      response.end(identity ? identified(identity) : unknownStack);
      return;
    }
    const outputs = stacks.get(new URLSearchParams(body).get('StackName') ?? '');
    const answer = outputs ? described(outputs) : unknownStack;
    response.writeHead(outputs ? 200 : 400, { 'content-type': 'text/xml' }).end(answer);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterAll(() => server.close());
beforeEach(() => {
  vi.stubEnv('AWS_ENDPOINT_URL_CLOUDFORMATION', `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  vi.stubEnv('AWS_ENDPOINT_URL_DYNAMODB', inject('dynamodbEndpoint'));
  vi.stubEnv('AWS_REGION', localRegion);
  vi.stubEnv('AWS_ACCESS_KEY_ID', localCredentials.accessKeyId);
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', localCredentials.secretAccessKey);
});
afterEach(() => vi.unstubAllEnvs());

test('a deployed installation is found by the outputs of its stack', async () => {
  const { database, tableName } = await freshTable();
  const dependencies = serviceOn(database);
  const team = await createTeam(dependencies, { name: 'Deployed', features: [] });
  const outputs = {
    ApiUrl: 'https://api.example.com',
    TableName: tableName,
    QueueUrl: 'https://sqs.example.com/imports.fifo',
    DeadLetterQueueUrl: 'https://sqs.example.com/dead.fifo',
    WebhookQueueUrl: 'https://sqs.example.com/webhooks.fifo',
    TargetingQueueUrl: 'https://sqs.example.com/targeting.fifo',
    EventFailureQueueUrl: 'https://sqs.example.com/event-failures',
    Retention: '{"audit":400}',
    ImageBucket: 'images',
    DropBoxBucket: 'drop-box',
  };
  stacks.set('bank', { ...outputs, AnythingElse: 'x' });
  const installation = await deployedInstallation('bank');
  expect(installation).toMatchObject({ baseUrl: outputs.ApiUrl, isLocal: false });
  expect(await listTeams(installation.database)).toEqual([team]);
  expect(installation.retention.days.audit).toBe(400);
});

test('an administrator of a deployed installation is who AWS says, and without an answer nothing is done', async () => {
  vi.stubEnv('AWS_ENDPOINT_URL_STS', `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  identity = 'arn:aws:sts::111122223333:assumed-role/Operator/jana';
  expect(await callerArn()).toBe(identity);
  identity = undefined;
  await expect(callerArn()).rejects.toMatchObject({ code: 'unknown_caller' });
});

test('a stack that is unknown, or another service’s, is said to be so', async () => {
  stacks.set('other', { WebsiteUrl: 'https://www.example.com' });
  await expect(deployedInstallation('none')).rejects.toMatchObject({ code: 'no_such_stack' });
  await expect(deployedInstallation('other')).rejects.toMatchObject({ code: 'no_such_stack' });
});

const described = (outputs: Record<string, string>) => {
  const members = Object.entries(outputs)
    .map(([key, value]) => `<member><OutputKey>${key}</OutputKey><OutputValue>${value}</OutputValue></member>`)
    .join('');
  const stack = `<member><StackName>bank</StackName><Outputs>${members}</Outputs></member>`;
  return `<DescribeStacksResponse><DescribeStacksResult><Stacks>${stack}</Stacks></DescribeStacksResult></DescribeStacksResponse>`;
};

const identified = (arn: string) =>
  `<GetCallerIdentityResponse><GetCallerIdentityResult><Arn>${arn}</Arn></GetCallerIdentityResult></GetCallerIdentityResponse>`;

const unknownStack =
  '<ErrorResponse><Error><Type>Sender</Type><Code>ValidationError</Code><Message>does not exist</Message></Error></ErrorResponse>';
