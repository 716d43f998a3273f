import { Stack, Validations } from 'aws-cdk-lib';
import { CfnQueue } from 'aws-cdk-lib/aws-sqs';
import { describe, expect, test } from 'vitest';
import { rulePacks } from '../../../infra/app.ts';
import { stages } from '../../../infra/stages.ts';
import { findingsIn, synthesizeStage, testApp } from '../../support/infra/synthesized.ts';

/** The stage with the most types of resources is first: the validator loads its rules again for each type it has not seen. */
const names = Object.keys(stages).toReversed();

describe.each(names)('the stage %s', (stage) => {
  test('is synthesized, and no rule finds anything that is not accepted', () => {
    expect(synthesizeStage(stage).findings).toEqual([]);
  });

  test('is within the limits of CloudFormation', () => {
    for (const { bytes, resources, parameters } of synthesizeStage(stage).templates) {
      expect(bytes).toBeLessThan(1_000_000);
      // CloudFormation allows 500. What is left is for the endpoints and settings of later releases.
      expect(resources).toBeLessThanOrEqual(440);
      // CloudFormation allows 200. The nested stack has one for each thing that it watches.
      expect(parameters).toBeLessThanOrEqual(200);
    }
  });
});

test('the rule packs and the CloudFormation validator find what is wrong with a naive queue', () => {
  const { app, outdir } = testApp({ context: { '@aws-cdk/core:failSynthOnValidationErrors': false } });
  Validations.of(app).addPlugins(...rulePacks());
  new CfnQueue(new Stack(app, 'Naive'), 'Queue', { delaySeconds: -5 });
  app.synth();
  expect(findingsIn(outdir)).toEqual(
    expect.arrayContaining([
      'AwsSolutions: AwsSolutions-SQS3: Naive/Queue',
      'AwsSolutions: AwsSolutions-SQS4: Naive/Queue',
      'CloudFormation Validate: F3034: Naive/Queue',
    ]),
  );
});
