import { describe, expect, test } from 'vitest';
import { forEmulator, type Template } from '../../bin/rehearse/template.ts';
import type { Resource } from '../../bin/rehearse/template-rules.ts';
import { synthesize } from '../infra/synthesized.ts';

const all = () => true;
const adapted = (resources: Record<string, Resource>, isKnown: (type: string) => boolean = all) =>
  forEmulator({ Resources: resources }, isKnown);

const secret: Resource = { Type: 'AWS::SecretsManager::Secret' };
const queue: Resource = { Type: 'AWS::SQS::Queue' };

describe('the copy of the template for the emulator', () => {
  test('leaves out what the rules name, with the reason of the rule', () => {
    const alarm = { Type: 'AWS::CloudWatch::Alarm', Properties: { Metrics: [] } };
    const plain = { Type: 'AWS::CloudWatch::Alarm', Properties: { MetricName: 'Errors' } };
    const { template, changes } = adapted({ alarm, plain });
    expect(template.Resources).toEqual({ plain });
    expect(changes).toEqual([
      { resource: 'alarm', type: alarm.Type, change: 'left out', why: 'the emulator has no alarms with metric math' },
    ]);
  });

  test('leaves out a type that the emulator does not have', () => {
    const { template, changes } = adapted({ queue, new: { Type: 'AWS::New::Thing' } }, (type) => type === queue.Type);
    expect(Object.keys(template.Resources)).toEqual(['queue']);
    expect(changes).toMatchObject([{ resource: 'new', why: 'the emulator has no such resource' }]);
  });

  test('leaves out what refers to it, and keeps what only waits for it', () => {
    const gone: Resource = { Type: 'AWS::New::Thing' };
    const user: Resource = { Type: queue.Type, Properties: { Id: { Ref: 'gone' } } };
    const second: Resource = { Type: queue.Type, Properties: { Id: { 'Fn::GetAtt': ['user', 'Arn'] } } };
    const waiting: Resource = {
      Type: queue.Type,
      DependsOn: ['gone', 'user'],
      UpdatePolicy: { Group: { Ref: 'gone' } },
    };
    const { template, changes } = adapted({ gone, user, second, waiting }, (type) => type === queue.Type);
    expect(template.Resources).toEqual({ waiting: { Type: queue.Type, DependsOn: [] } });
    expect(changes.map(({ resource, why }) => [resource, why])).toEqual([
      ['gone', 'the emulator has no such resource'],
      ['user', 'it refers to gone'],
      ['second', 'it refers to user'],
    ]);
  });

  test('leaves out outputs of what is left out', () => {
    const gone: Resource = { Type: 'AWS::New::Thing' };
    const Outputs = { Gone: { Value: { Ref: 'gone' } }, Kept: { Value: { Ref: 'queue' } } };
    const { template } = forEmulator({ Resources: { gone, queue }, Outputs }, (type) => type === queue.Type);
    expect(template.Outputs).toEqual({ Kept: { Value: { Ref: 'queue' } } });
  });

  test('gives the ARN of a secret where AWS gives it for Ref', () => {
    const user: Resource = {
      Type: queue.Type,
      Properties: { Keys: ['x', { Ref: 'secret' }], Other: { Ref: 'queue' } },
    };
    const Outputs = { Keys: { Value: { Ref: 'secret' } } };
    const { template, changes } = forEmulator({ Resources: { secret, queue, user }, Outputs }, all);
    expect(template.Resources.user?.Properties).toEqual({
      Keys: ['x', { 'Fn::GetAtt': ['secret', 'Id'] }],
      Other: { Ref: 'queue' },
    });
    expect(template.Outputs).toEqual({ Keys: { Value: { 'Fn::GetAtt': ['secret', 'Id'] } } });
    expect(changes).toMatchObject([{ resource: 'user', change: 'rewritten' }]);
  });

  test('of the stack keeps every function, role, route, queue, bucket and the table as they are', () => {
    const original = synthesize({ docs: true }).template.toJSON() as Template;
    const before = structuredClone(original);
    const { template, changes } = forEmulator(original, all);
    expect(original).toEqual(before);
    const kept = /^AWS::(ApiGatewayV2|DynamoDB|Events|SQS|S3)::/;
    for (const [id, resource] of Object.entries(original.Resources)) {
      if (kept.test(resource.Type)) expect(template.Resources[id]).toEqual(resource);
    }
    expect(changes.filter(({ type }) => type === 'AWS::IAM::Role').map(({ change }) => change)).toEqual([
      'rewritten',
      'rewritten',
    ]);
    expect(new Set(changes.filter(({ change }) => change === 'left out').map(({ type }) => type))).toEqual(
      new Set([
        'AWS::SecretsManager::ResourcePolicy',
        'AWS::SecretsManager::RotationSchedule',
        'AWS::CloudWatch::Alarm',
        // It refers to the alarms.
        'AWS::CloudWatch::Dashboard',
      ]),
    );
  });
});
