import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Stack } from 'aws-cdk-lib';
import { AttributeType, TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { describe, expect, test } from 'vitest';
import { copyAssembly, readAssembly, stacksOf, templateOf } from '../../../bin/deploy/assembly.ts';
import { ImpossibleRelease, indexSteps } from '../../../bin/deploy/index-plan.ts';
import type { Template } from '../../../bin/deploy/template.ts';
import { type Json, ofRestoredTable, synthesize, testApp } from '../../support/infra/synthesized.ts';

const key = (name: string) => ({ name, type: AttributeType.STRING });

function assemblyWith(indexes: readonly string[], partitionKey = 'pk') {
  const { app, outdir } = testApp({ builtinCloudFormationValidation: false });
  const stack = new Stack(app, 'Onboarding');
  new TableV2(stack, 'Table', {
    partitionKey: key(partitionKey),
    globalSecondaryIndexes: indexes.map((indexName) => ({ indexName, partitionKey: key(indexName) })),
  });
  app.synth();
  return readAssembly(outdir, 'Onboarding');
}
const templateWith = (...args: Parameters<typeof assemblyWith>): Template => templateOf(assemblyWith(...args));
const indexesOf = (template: Template): string[] => {
  const [{ Properties }] = Object.values(template.Resources) as [Json];
  return Properties.GlobalSecondaryIndexes.map(({ IndexName }: Json) => IndexName);
};

describe('the indexes of a release', () => {
  test.each([
    ['none is added', ['a'], ['a'], []],
    ['one is added: the release does it', ['a'], ['a', 'b'], []],
    ['two are added: the first goes before', ['a'], ['a', 'b', 'c'], [['a', 'b']]],
    [
      'three are added',
      ['a'],
      ['a', 'b', 'c', 'd'],
      [
        ['a', 'b'],
        ['a', 'b', 'c'],
      ],
    ],
    ['one is removed: the release does it', ['a', 'b'], ['a'], []],
    ['one is exchanged: the new code uses the new one at once', ['a', 'b'], ['a', 'c'], [['a', 'b', 'c']]],
  ])('%s', (_, now, then, expected) => {
    expect(indexSteps(templateWith(now), templateWith(then)).map(({ template }) => indexesOf(template))).toEqual(
      expected,
    );
  });

  test('are added to what is deployed, and nothing else changes', () => {
    const now = templateWith(['a']);
    const [step] = indexSteps(now, templateWith(['a', 'b', 'c']));
    const [[id, { Properties }]] = Object.entries(now.Resources) as [[string, Json]];
    const expected = structuredClone(now);
    expected.Resources[id]!.Properties = {
      ...Properties,
      AttributeDefinitions: [...Properties.AttributeDefinitions, { AttributeName: 'b', AttributeType: 'S' }],
      GlobalSecondaryIndexes: [
        ...Properties.GlobalSecondaryIndexes,
        {
          ...Properties.GlobalSecondaryIndexes[0],
          IndexName: 'b',
          KeySchema: [{ AttributeName: 'b', KeyType: 'HASH' }],
        },
      ],
      Replicas: [{ ...Properties.Replicas[0], GlobalSecondaryIndexes: [{ IndexName: 'a' }, { IndexName: 'b' }] }],
    };
    expect(step).toEqual({ index: 'b', template: expected });
  });

  test.each([
    ['the table would be replaced', templateWith(['a']), templateWith(['a'], 'id'), 'would replace the table'],
    ['two indexes are removed', templateWith(['a', 'b', 'c']), templateWith(['a']), 'b, c: remove one in each release'],
  ])('are refused if %s', (_, now, then, reason) => {
    expect(() => indexSteps(now, then)).toThrow(new RegExp(reason));
  });

  test('are refused if an index has other keys under the same name', () => {
    const then = templateWith(['a']);
    const [{ Properties }] = Object.values(then.Resources) as [Json];
    Properties.GlobalSecondaryIndexes[0].KeySchema[0].AttributeName = 'other';
    expect(() => indexSteps(templateWith(['a']), then)).toThrow(ImpossibleRelease);
  });

  test('of the stack can be read from its template', () => {
    const template = synthesize().template.toJSON() as Template;
    const without = structuredClone(template);
    const table = Object.values(without.Resources).find(({ Type }) => Type === 'AWS::DynamoDB::GlobalTable') as Json;
    table.Properties.GlobalSecondaryIndexes.splice(2);
    expect(indexSteps(without, template).map(({ index }) => index)).toEqual(['lookup_2', 'lookup_3']);
  });

  test('of a restored table are not in the template', () => {
    const template = synthesize(ofRestoredTable).template.toJSON() as Template;
    expect(indexSteps(template, template)).toEqual([]);
  });
});

test('a step is the assembly with another template, uploaded under a key of its own', () => {
  const assembly = assemblyWith(['a']);
  const folder = mkdtempSync(join(tmpdir(), 'onboarding-step-'));
  const template = templateWith(['a', 'b']);
  copyAssembly(folder, assembly, template);
  expect(stacksOf(folder)).toEqual(['Onboarding']);
  const step = readAssembly(folder, 'Onboarding');
  expect(templateOf(step)).toEqual(template);
  expect(step.stack.environment).toBe(assembly.stack.environment);
  expect(step.stack.properties?.assumeRoleArn).toBe(assembly.stack.properties?.assumeRoleArn);
  const url = step.stack.properties?.stackTemplateAssetObjectUrl;
  expect(url).not.toBe(assembly.stack.properties?.stackTemplateAssetObjectUrl);
  const [[hash, asset]] = Object.entries(
    JSON.parse(readFileSync(join(folder, 'Onboarding.assets.json'), 'utf8')).files,
  ) as [[string, Json]];
  expect(url).toContain(hash);
  expect(asset.source.path).toBe('Onboarding.template.json');
  for (const { objectKey } of Object.values(asset.destinations) as Json[]) expect(objectKey).toBe(`${hash}.json`);
});
