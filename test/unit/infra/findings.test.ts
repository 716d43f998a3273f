import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { type Finding, findingsOf, findingsTable } from '../../../infra/accepted-findings.ts';
import { rulePacks } from '../../../infra/app.ts';
import { stages } from '../../../infra/stages.ts';
import { stubBundles } from '../../support/infra/synthesized.ts';

const names = Object.keys(stages);

describe('the accepted findings', () => {
  let findings: Finding[];
  let unused: string[][];

  beforeAll(() => {
    const bundles = stubBundles(mkdtempSync(join(tmpdir(), 'onboarding-bundles-')));
    const found = names.map((stage) => findingsOf(stage, bundles));
    findings = found.flatMap((each) => each.findings);
    unused = found.map((each) => each.unused);
  }, 180_000);

  test('are all findings of the rules, with a reason each', () => {
    expect(findings.filter(({ reason }) => !/^[A-Z].+\.$/s.test(reason ?? ''))).toEqual([]);
  });

  test('are findings: no rule is accepted that finds nothing', () => {
    expect(unused.flat()).toEqual([]);
  });

  test('are listed with rules, resources and stages, one reason a row', () => {
    expect(findingsTable(findings).split('\n')).toContain(
      '| `AwsSolutions-APIG4` | several, of type `AWS::ApiGatewayV2::Route` | development, staging | Public by contract. |',
    );
  });
});

test('the rule packs are four', () => {
  expect(rulePacks().map(({ name }) => name)).toEqual([
    'AwsSolutions',
    'NIST.800.53.R5',
    'HIPAA.Security',
    'PCI.DSS.321',
  ]);
});
