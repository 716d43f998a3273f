import { describe, expect, test } from 'vitest';
import type { FunctionId } from '../../bin/smoke/failure.ts';
import { functionIds, partsOf, partsUsedBy, statementsOf } from '../../bin/smoke/grants.ts';
import { steps } from '../../bin/smoke/steps.ts';
import { backgroundFunctions } from '../../lib/background.ts';
import { defaultRoute, docsRoutes, routes } from '../../lib/routes.ts';
import { type Json, listOf, synthesize } from '../infra/synthesized.ts';

const stepsOf = (id: FunctionId) => steps.filter((step) => step.function === id);

describe('the steps of the smoke test', () => {
  test('use every endpoint and every background function', () => {
    const all = [...routes, ...docsRoutes, defaultRoute, ...backgroundFunctions].map(({ id }) => id);
    expect([...new Set(steps.map((step) => step.function))].sort()).toEqual([...all].sort());
    expect([...functionIds].sort()).toEqual([...all].sort());
  });

  test('have names of their own', () => {
    expect(new Set(steps.map(({ name }) => name)).size).toBe(steps.length);
  });

  test.each(functionIds)('of %s use every permission of the function', (id) => {
    const used = new Set(stepsOf(id).flatMap(partsUsedBy));
    expect(partsOf(id).filter((part) => !used.has(part))).toEqual([]);
  });

  test.each(functionIds)('of %s name only permissions that the function has', (id) => {
    const granted = partsOf(id);
    expect(
      stepsOf(id)
        .flatMap(partsUsedBy)
        .filter((part) => !granted.includes(part)),
    ).toEqual([]);
  });
});

describe('the permissions that the smoke test knows', () => {
  const { functions } = synthesize({ docs: true });

  test.each(functionIds)('of %s are those of its role in the stack, by statement and action', (id) => {
    const statements = functions.get(id)!.statements.filter(({ Sid }: Json) => Sid !== 'Log');
    const deployed = statements.map(({ Sid, Action }: Json) => [Sid, listOf<string>(Action).map(nameOf).sort()]);
    const known = Object.entries(statementsOf(id)).map(([name, { actions }]) => [name, [...actions].sort()]);
    expect(Object.fromEntries(known)).toEqual(Object.fromEntries(deployed));
  });
});

const nameOf = (action: string): string => action.split(':')[1]!;
