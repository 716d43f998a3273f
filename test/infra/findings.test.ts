import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Stack } from 'aws-cdk-lib';
import { CfnQueue } from 'aws-cdk-lib/aws-sqs';
import { beforeAll, describe, expect, test } from 'vitest';
import { addOnboarding, settingsFor } from '../../infra/app.ts';
import { type Json, testApp } from './synthesized.ts';

/** Rules broken, each as `plug-in: rule: construct`. */
let findings: string[];

beforeAll(() => {
  const { app, bundles, outdir } = testApp({ context: { '@aws-cdk/core:failSynthOnValidationErrors': false } });
  addOnboarding(app, bundles, settingsFor(app));
  // Proves that the checks run: no dead-letter queue, no TLS, and a delay that CloudFormation would reject.
  new CfnQueue(new Stack(app, 'Naive'), 'Queue', { delaySeconds: -5 });
  app.synth();
  const { pluginReports } = JSON.parse(readFileSync(join(outdir, 'validation-report.json'), 'utf8'));
  findings = pluginReports.flatMap(({ pluginName, violations }: Json) =>
    violations.flatMap(({ ruleName, violatingConstructs }: Json) =>
      violatingConstructs.map(({ constructPath }: Json) => `${pluginName}: ${ruleName}: ${constructPath}`),
    ),
  );
}, 60_000);

describe('the AWS Solutions rules and the CloudFormation validator', () => {
  test('find what is wrong with a naive queue', () => {
    expect(findings).toEqual(
      expect.arrayContaining([
        'AwsSolutions: AwsSolutions-SQS3: Naive/Queue',
        'AwsSolutions: AwsSolutions-SQS4: Naive/Queue',
        'CloudFormation Validate: F3034: Naive/Queue',
      ]),
    );
  });

  test('find nothing wrong with the stack', () => {
    expect(findings.filter((finding) => !finding.includes('Naive/'))).toEqual([]);
  });
});
