import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Stack } from 'aws-cdk-lib';
import { CfnQueue } from 'aws-cdk-lib/aws-sqs';
import { expect, test } from 'vitest';
import { copyAssembly, readAssembly, templateOf } from '../../bin/deploy/assembly.ts';
import { withOldGrants } from '../../bin/deploy/grant-plan.ts';
import type { Template } from '../../bin/deploy/index-plan.ts';
import { type Json, ofRestoredTable, synthesize, testApp } from './synthesized.ts';

const templateOfStack = (settings: Parameters<typeof synthesize>[0]): Template =>
  synthesize(settings).template.toJSON() as Template;
const before = templateOfStack({});
const restored = templateOfStack(ofRestoredTable);
const rolesOf = ({ Resources }: Template): [string, Json[]][] =>
  Object.entries(Resources)
    .filter(([, { Type }]) => Type === 'AWS::IAM::Role')
    .map(([id, { Properties }]: Json) => [id, Properties.Policies[0].PolicyDocument.Statement]);

test('while traffic moves to a restored table, the functions may use both tables', () => {
  const between = withOldGrants(before, restored)!;
  const old = new Map(rolesOf(before));
  const next = new Map(rolesOf(restored));
  for (const [id, statements] of rolesOf(between)) {
    const without = ({ Sid: _, ...statement }: Json) => statement;
    const both = [...(old.get(id) ?? []), ...(next.get(id) ?? [])].map(without);
    for (const statement of both) expect(statements.map(without)).toContainEqual(statement);
    const names = statements.flatMap(({ Sid }) => Sid ?? []);
    expect(new Set(names).size).toBe(names.length);
  }
  // The old permissions name the table, so it stays in the template, as it was, until they go.
  const [table] = Object.keys(before.Resources).filter((id) => /^DataTable/.test(id));
  expect(restored.Resources).not.toHaveProperty(table!);
  expect(between.Resources[table!]).toEqual(before.Resources[table!]);
  expect(withOldGrants(between, restored)).toBeDefined();
});

test('a release that takes no permission away is deployed in one step', () => {
  expect(withOldGrants(before, before)).toBeUndefined();
  const wider = structuredClone(before);
  for (const [, statements] of rolesOf(wider))
    statements[0].Action = [statements[0].Action, 'logs:DescribeLogGroups'].flat();
  expect(withOldGrants(before, wider)).toBeUndefined();
  expect(withOldGrants(wider, before)).toBeDefined();
});

test('the copy of the assembly has the other template under a key of its own', () => {
  const { app, outdir } = testApp({ builtinCloudFormationValidation: false });
  new CfnQueue(new Stack(app, 'Onboarding'), 'Queue');
  app.synth();
  const original = readAssembly(outdir, 'Onboarding');
  const target = mkdtempSync(join(tmpdir(), 'onboarding-copy-'));
  const template = { ...templateOf(original), Description: 'another' };
  copyAssembly(target, original, template);
  const copy = readAssembly(target, 'Onboarding');
  expect(templateOf(copy)).toEqual(template);
  const keyOf = (url = '') => url.split('/').at(-1)!.replace('.json', '');
  const keys = [original, copy].map(({ stack }) => keyOf(stack.properties?.stackTemplateAssetObjectUrl));
  expect(keys[0]).not.toBe(keys[1]);
  expect(readFileSync(join(target, 'Onboarding.assets.json'), 'utf8')).toContain(keys[1]);
});
