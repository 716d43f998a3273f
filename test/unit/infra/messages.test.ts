import { describe, expect, test } from 'vitest';
import { backgroundFunctions, messageFunctions } from '../../../lib/background.ts';
import { feedback } from '../../../lib/domain/messages/feedback.ts';
import { docsRoutes, ownFunctions, routes } from '../../../lib/routes.ts';
import { type Json, listOf, sending, synthesize } from '../../support/infra/synthesized.ts';

/** The setting `messages` (contract, section 15, "Deployed"). */

const stack = synthesize({ docs: true, ...sending });
const without = synthesize({ docs: true });
const statementsOf = (id: string): Json[] => stack.functions.get(id)!.statements;
const granted = (grant: 'mails' | 'hashes' | 'journals' | 'mailsOut'): string[] =>
  [...ownFunctions, ...docsRoutes, ...backgroundFunctions, ...messageFunctions]
    .filter(({ grants }) => grant in grants)
    .map(({ id }) => id)
    .sort();

describe('without the setting', () => {
  test('there is nothing of messages, and the stack has room', () => {
    expect(without.ofType('AWS::SES::EmailIdentity')).toEqual([]);
    for (const name of ['MESSAGE_QUEUE_URL', 'MESSAGES_SECRET', 'MESSAGES_BUCKET', 'MESSAGE_SENDER'])
      expect(without.told(name)).toEqual([]);
    expect([...without.functions.keys()].filter((id) => /message|opt-out|mail/.test(id))).toEqual([
      'list-template-messages',
    ]);
    const paths = without.ofType('AWS::ApiGatewayV2::Route').map(({ Properties }) => Properties.RouteKey as string);
    const needing = routes.filter((route) => 'needs' in route).map(({ path }) => path);
    expect(needing).toContain('/v1/contacts/{id}/opt-outs');
    expect(paths.filter((path) => needing.some((each) => path.endsWith(each)))).toEqual([]);
  });

  test('each stack stays far below the 500 resources of CloudFormation', () => {
    // The alarms are in a nested stack.
    const resourcesOf = ({ stack: made }: typeof stack): number =>
      made.node.findAll().filter((node) => 'cfnResourceType' in node && (node as Json).stack === made).length;
    expect(resourcesOf(without)).toBeLessThanOrEqual(410);
    expect(resourcesOf(stack)).toBeLessThanOrEqual(440);
  });
});

describe('Amazon SES', () => {
  const set = stack.the('AWS::SES::ConfigurationSet');

  test('sends from the domains of the setting, and keeps no list of addresses of its own', () => {
    const identities = stack.properties('AWS::SES::EmailIdentity');
    expect(identities.map(({ EmailIdentity }) => EmailIdentity)).toEqual(Object.keys(sending.messages.senders));
    for (const { ConfigurationSetAttributes } of identities)
      expect(ConfigurationSetAttributes).toEqual({ ConfigurationSetName: { Ref: set.logicalId } });
    expect(set.Properties.SuppressionOptions).toEqual({ SuppressedReasons: [] });
  });

  test('is used by one function, as the domains of the stack and with its configuration set alone', () => {
    expect(stack.whoMay('ses:SendRawEmail')).toEqual(['message-sender']);
    expect(granted('mailsOut')).toEqual(['message-sender']);
    const all = [...stack.functions.values()].flatMap(({ statements }) => statements);
    const actions = all.flatMap(({ Action }) => listOf<string>(Action)).filter((action) => action.startsWith('ses:'));
    expect(actions).toEqual(['ses:SendRawEmail']);
    const [{ Resource }] = all.filter(({ Sid }) => Sid === 'SendMail');
    const named = listOf<Json>(Resource).map((each) => JSON.stringify(each));
    expect(named).toHaveLength(3);
    expect(named.filter((each) => each.includes('*'))).toEqual([]);
    expect(stack.told('MESSAGE_SENDER')).toEqual([
      ['message-sender', { 'Fn::Join': ['', ['ses:', { Ref: set.logicalId }]] }],
    ]);
  });

  test('tells what became of messages, and nothing of their recipients and texts', () => {
    const [{ EventDestination }] = stack.properties('AWS::SES::ConfigurationSetEventDestination');
    expect(EventDestination.MatchingEventTypes).toEqual(['DELIVERY', 'BOUNCE', 'COMPLAINT']);
    const rules = stack
      .properties('AWS::Events::Rule')
      .filter(({ EventPattern }) => EventPattern?.source?.includes('aws.ses'));
    const queue = stack.the('AWS::SQS::Queue', /^Reports(?!DeadLetters)/).logicalId;
    const bodies = rules.map(({ EventPattern, Targets: [{ Arn, InputTransformer }] }) => {
      expect(Arn).toEqual({ 'Fn::GetAtt': [queue, 'Arn'] });
      // Only messages of this stack.
      expect(EventPattern.detail.mail.tags).toEqual({ 'ses:configuration-set': [{ Ref: set.logicalId }] });
      const { InputPathsMap: paths, InputTemplate: template } = InputTransformer;
      for (const path of Object.values(paths))
        expect(path).toMatch(
          /^\$\.detail\.(mail\.tags\.(message|address|team)\[0\]|(delivery|bounce|complaint)\.timestamp)$/,
        );
      const time = '2026-03-01T12:00:00.000000Z';
      const textOf = (name: string) => (paths[name].endsWith('.timestamp') ? time : 'x');
      const filled = template.replaceAll(/"?<([\w-]+)>"?/g, (_: string, name: string) => JSON.stringify(textOf(name)));
      return JSON.parse(filled);
    });
    // What the function reads.
    expect(bodies.map((body) => feedback.parse(body))).toEqual(bodies);
    const said = bodies.map(({ type, permanent }) => [type, permanent]);
    expect(said).toEqual([
      ['delivered', undefined],
      ['bounced', true],
      ['bounced', false],
      ['complained', undefined],
    ]);
  });
});

test('the secret and the journal of addresses are used by the functions that list addresses, and are kept', () => {
  expect(stack.told('MESSAGES_SECRET').map(([id]) => id)).toEqual(granted('hashes'));
  expect(stack.told('MESSAGES_BUCKET').map(([id]) => id)).toEqual(granted('journals'));
  expect(stack.told('MESSAGE_QUEUE_URL').map(([id]) => id)).toEqual(granted('mails'));
  const secret = stack.the('AWS::SecretsManager::Secret', /^Secret/);
  const bucket = stack.the('AWS::S3::Bucket', /^Journal/);
  for (const { DeletionPolicy, UpdateReplacePolicy } of [secret, bucket])
    expect([DeletionPolicy, UpdateReplacePolicy]).toEqual([expect.stringMatching(/^Retain/), 'Retain']);
  expect(bucket.Properties.LifecycleConfiguration.Rules).toHaveLength(1);
  for (const id of granted('journals')) {
    const [{ Action, Resource }] = statementsOf(id).filter(({ Sid }) => Sid === 'AddToJournal');
    // Entries are added. No function reads or deletes them.
    expect(Action).toBe('s3:PutObject');
    expect(JSON.stringify(Resource)).toContain('/suppression/*');
  }
});

test('the outputs have the DNS records of each domain, and what the admin command needs', () => {
  const outputs: Record<string, Json> = stack.template.toJSON().Outputs;
  expect(JSON.parse(outputs.MessageSenders!.Value)).toEqual(sending.messages.senders);
  for (const name of ['MessageDnsRecords1', 'MessageDnsRecords2'])
    expect(JSON.stringify(outputs[name]!.Value).match(/DkimDNSTokenName\d/g)).toHaveLength(3);
  expect(Object.keys(outputs)).toEqual(
    expect.arrayContaining(['MessageQueueUrl', 'MessagesSecretArn', 'MessagesBucket']),
  );
});
