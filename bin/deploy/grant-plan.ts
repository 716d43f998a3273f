import { policyOf, type Resource, referredBy, type Statement, type Template } from './template.ts';

/**
 * The release with the permissions that it takes away from roles, and with the resources that these name; undefined if
 * it takes none away. It is deployed first: roles change before traffic moves, and until all of it has moved, the old
 * versions of the functions run with their old settings, such as the name of the table.
 */
export function withOldGrants(deployed: Template, next: Template): Template | undefined {
  const template = structuredClone(next);
  const kept = Object.keys(next.Resources).flatMap((id) => keepGrants(deployed, template, id));
  if (kept.length === 0) return undefined;
  for (const id of referredBy(kept)) keepResource(deployed, template, id);
  return template;
}

/** @returns the statements that the release would take away from the role */
function keepGrants(deployed: Template, template: Template, id: string): Statement[] {
  const [old, now] = [deployed, template].map(({ Resources }) => statementsOf(Resources[id]));
  if (!old || !now) return [];
  const taken = old.filter((each) => !now.some((other) => covers(other, each)));
  // No two statements of a policy have the same name, but they need none.
  const unnamed = taken.map(({ Sid: _, ...statement }) => statement);
  now.push(...unnamed);
  return unnamed;
}

const covers = (now: Statement, old: Statement): boolean =>
  ['Effect', 'Condition'].every((part) => JSON.stringify(now[part]) === JSON.stringify(old[part])) &&
  ['Action', 'Resource'].every((part) => partsOf(old[part]).every((each) => partsOf(now[part]).includes(each)));

const partsOf = (value: unknown): string[] => [value].flat().map((each) => JSON.stringify(each));

const statementsOf = (resource: Resource | undefined): Statement[] | undefined =>
  resource && policyOf(resource)?.PolicyDocument.Statement;

function keepResource(deployed: Template, template: Template, id: string): void {
  const resource = deployed.Resources[id];
  if (!resource || id in template.Resources) return;
  template.Resources[id] = resource;
  for (const other of referredBy(resource)) keepResource(deployed, template, other);
}
