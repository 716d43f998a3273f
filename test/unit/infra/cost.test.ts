import { expect, test } from 'vitest';
import { backupDays, endpointMemory, stackUnits } from '../../../bench/cost/units.ts';
import { ownFunctions } from '../../../lib/routes.ts';
import { type Json, manySettings, sending, synthesize, synthesizeProduction } from '../../support/infra/synthesized.ts';

/** If a number differs: change bench/cost/units.ts, then run `node bench/cost.ts --write`. */
const { ofType } = synthesize();

test('the cost has the alarms of the stack, by the metrics that each reads', () => {
  const metricsOf = ({ Properties: { Metrics } }: Json) =>
    Metrics ? Metrics.filter(({ MetricStat }: Json) => MetricStat !== undefined).length : 1;
  const metrics = ofType('AWS::CloudWatch::Alarm').reduce((sum, alarm) => sum + metricsOf(alarm), 0);
  expect(metrics).toBe(stackUnits.alarmMetrics);
});

test('the cost has the secrets and the event sources of the stack', () => {
  expect(ofType('AWS::SecretsManager::Secret')).toHaveLength(stackUnits.secrets);
  const queues = ofType('AWS::SQS::Queue');
  const sources = ofType('AWS::Lambda::EventSourceMapping').flatMap(({ Properties }) =>
    queues.filter(({ logicalId }) => logicalId === Properties.EventSourceArn['Fn::GetAtt'][0]),
  );
  const fifo = sources.filter((queue) => queue.Properties.FifoQueue);
  expect([fifo.length, sources.length - fifo.length]).toEqual([stackUnits.fifoSources, stackUnits.standardSources]);
});

test('the cost has the days of backups and copies', () => {
  const plan = synthesize(manySettings).ofType('AWS::Backup::BackupPlan')[0].Properties.BackupPlan;
  const [{ Lifecycle, CopyActions }] = plan.BackupPlanRule;
  expect([Lifecycle, CopyActions[0].Lifecycle].map(({ DeleteAfterDays }) => DeleteAfterDays)).toEqual([
    backupDays.own,
    backupDays.copies,
  ]);
});

test('the cost has the rules of the web ACL', () => {
  const [acl] = Object.values<Json>(synthesizeProduction().edge.findResources('AWS::WAFv2::WebACL'));
  expect(acl.Properties.Rules).toHaveLength(stackUnits.webAclRules);
});

test('the cost has the memory of the functions for requests', () => {
  const memories = ownFunctions.map(({ id }) => synthesize(sending).functions.get(id)!.properties.MemorySize);
  expect(new Set(memories)).toEqual(new Set([endpointMemory]));
});
