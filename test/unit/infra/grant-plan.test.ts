import { expect, test } from 'vitest';
import { withOldGrants } from '../../../bin/deploy/grant-plan.ts';
import type { Template } from '../../../bin/deploy/template.ts';
import { type Json, ofRestoredTable, synthesize } from '../../support/infra/synthesized.ts';

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
