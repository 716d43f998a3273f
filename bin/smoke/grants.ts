import { type BackgroundFunction, backgroundFunctions } from '../../lib/background.ts';
import type { Grants } from '../../lib/grants.ts';
import { tablePermissions } from '../../lib/grants.ts';
import type { Route } from '../../lib/route.ts';
import { defaultRoute, docsRoutes, routes } from '../../lib/routes.ts';
import type { FunctionId } from './failure.ts';
import type { Step, Uses } from './step.ts';

/** A statement of a function's policy: its actions, and what it limits them to, if that is more than one resource. */
type Statement = { actions: readonly string[]; scopes: readonly string[] };

const definitions: readonly (Pick<Route, 'id' | 'grants'> & Partial<Route & BackgroundFunction>)[] = [
  ...routes,
  ...docsRoutes,
  defaultRoute,
  ...backgroundFunctions,
];

export const functionIds = definitions.map(({ id }) => id as FunctionId);

const definitionOf = (id: FunctionId) => definitions.find((each) => each.id === id)!;

/** The statements of a function's policy by their names, as the stack makes them; without that for its logs. */
export function statementsOf(id: FunctionId): Record<string, Statement> {
  const { grants, trigger, postpones = false } = definitionOf(id);
  const of = (name: string, isGranted: boolean | undefined, actions: string[], scopes: readonly string[] = []) =>
    isGranted ? { [name]: { actions, scopes } } : {};
  const { files } = grants as Grants;
  return {
    ...Object.fromEntries(
      tablePermissions(grants).map(({ name, actions, partitions, indexes = [] }) => [
        name,
        { actions, scopes: [...partitions, ...indexes] },
      ]),
    ),
    ...of('Send', grants.sends, ['SendMessage']),
    ...of('Forward', grants.forwards, ['SendMessage']),
    ...of('ReadFiles', files !== undefined, ['GetObject', 'GetObjectVersion'], files?.read),
    ...of('WriteFiles', files !== undefined, ['PutObject'], files?.write),
    ...of('ReadImages', grants.images, ['GetObject']),
    ...of('Sign', grants.signs, ['GetSecretValue']),
    ...of('Consume', trigger && 'queue' in trigger, [
      ...['ReceiveMessage', 'DeleteMessage', 'GetQueueAttributes'],
      ...(postpones ? ['ChangeMessageVisibility'] : []),
    ]),
    ...of('Rotate', trigger && 'rotation' in trigger, [
      ...['DescribeSecret', 'PutSecretValue', 'UpdateSecretVersionStage'],
    ]),
  };
}

/** What every call of a function with bearer access uses, if it is granted: client, signing keys and content. */
const everyCall: Uses = { Read: ['BatchGetItem', 'CLIENT#*', 'T#*'], Query: ['Query', 'KEYS'] };

/** The parts of the policy that a step uses, as `<statement> <action or scope>`. */
export function partsUsedBy({ function: id, uses = {} }: Pick<Step, 'function' | 'uses'>): string[] {
  const statements = statementsOf(id);
  const granted = new Set(partsOf(id));
  const all = definitionOf(id).access === 'bearer' ? [everyCall, uses] : [uses];
  const parts = all.flatMap((each) =>
    Object.entries(each).flatMap(([name, named]) => {
      const { actions, scopes } = statements[name] ?? { actions: [], scopes: [] };
      const list = named.length === 0 ? [...actions, ...scopes] : named;
      // A statement with one action, or one scope, is used as a whole.
      const single = [actions, scopes].filter(({ length }) => length === 1).flat();
      return [...list, ...single].map((part) => `${name} ${part}`);
    }),
  );
  return [...new Set(parts)].filter((part) => uses[part.split(' ')[0]!] !== undefined || granted.has(part));
}

/** All parts of a function's policy, in the same form. */
export const partsOf = (id: FunctionId): string[] =>
  Object.entries(statementsOf(id)).flatMap(([name, { actions, scopes }]) =>
    [...actions, ...scopes].map((part) => `${name} ${part}`),
  );

/** The parts that the step uses, and no step that passed; all of its parts if there are none. */
export function likelyParts(failed: Step, passed: readonly Step[], id: FunctionId): string[] {
  const own = failed.function === id ? partsUsedBy(failed) : partsOf(id);
  const proven = new Set(passed.filter((step) => step.function === id).flatMap(partsUsedBy));
  const suspects = own.filter((part) => !proven.has(part));
  return suspects.length > 0 ? suspects : own;
}

/** The parts that allow the action which IAM refused: the action, and what its statement limits it to. */
export function deniedParts(id: FunctionId, denied: string, likely: readonly string[]): string[] {
  const allowing = Object.entries(statementsOf(id)).filter(([, { actions }]) =>
    actions.some((each) => isSame(each, denied)),
  );
  const parts = allowing.flatMap(([name, { actions, scopes }]) =>
    [...actions.filter((each) => isSame(each, denied)), ...scopes].map((part) => `${name} ${part}`),
  );
  const both = parts.filter((part) => likely.includes(part));
  return both.length > 0 ? both : parts.length > 0 ? parts : [...likely];
}

/** SQS names actions in lower case. */
const isSame = (action: string, denied: string): boolean => action.toLowerCase() === denied.toLowerCase();
