import type { Template } from './template.ts';

type KeySchema = { AttributeName: string; KeyType: string }[];
type Index = { IndexName: string; KeySchema: KeySchema; Projection: unknown };
type Replica = { Region: unknown; GlobalSecondaryIndexes?: { IndexName: string }[] };
type TableProperties = {
  AttributeDefinitions: { AttributeName: string; AttributeType: string }[];
  KeySchema: KeySchema;
  GlobalSecondaryIndexes?: Index[];
  Replicas?: Replica[];
};

/** A release that CloudFormation would refuse, or that would delete data. */
export class ImpossibleRelease extends Error {
  override name = 'ImpossibleRelease';
}

export type IndexStep = { index: string; template: Template };

/**
 * The templates to deploy before the release, each with one more index than the one before. CloudFormation creates or
 * deletes only one index of a table in an update. All else in these templates is what is deployed now, so the running
 * code does not change until all indexes are filled.
 * @throws ImpossibleRelease
 */
export function indexSteps(deployed: Template, next: Template): IndexStep[] {
  const [logicalId, now] = tableOf(deployed);
  const [nextId, then] = tableOf(next);
  // A restored table is not in the template.
  if (now === undefined || then === undefined) return [];
  if (logicalId !== nextId || !isSame(now.KeySchema, then.KeySchema))
    throw new ImpossibleRelease('the release would replace the table: its keys or its logical id have changed');
  const [indexesNow, indexesThen] = [now.GlobalSecondaryIndexes ?? [], then.GlobalSecondaryIndexes ?? []];
  const changed = indexesThen.find((index) => indexesNow.some((old) => isOtherIndex(old, index)));
  if (changed)
    throw new ImpossibleRelease(`the index ${changed.IndexName} has changed: an index needs a new name for that`);
  const added = missingFrom(indexesNow, indexesThen);
  const removed = missingFrom(indexesThen, indexesNow);
  if (removed.length > 1)
    throw new ImpossibleRelease(
      `the release removes the indexes ${removed.map(({ IndexName }) => IndexName).join(', ')}: remove one in each release`,
    );
  // The release itself can do one change: it deletes the index that the new code no longer uses, or creates the last one.
  const before = removed.length > 0 ? added : added.slice(0, -1);
  return before.map(({ IndexName }, at) => ({
    index: IndexName,
    template: withIndexes(deployed, logicalId, then, before.slice(0, at + 1)),
  }));
}

function withIndexes(deployed: Template, logicalId: string, then: TableProperties, added: Index[]): Template {
  const template = structuredClone(deployed);
  const properties = template.Resources[logicalId]!.Properties as TableProperties;
  const needed = new Set(added.flatMap(({ KeySchema }) => KeySchema.map(({ AttributeName }) => AttributeName)));
  const defined = new Set(properties.AttributeDefinitions.map(({ AttributeName }) => AttributeName));
  properties.AttributeDefinitions.push(
    ...then.AttributeDefinitions.filter(
      ({ AttributeName }) => needed.has(AttributeName) && !defined.has(AttributeName),
    ),
  );
  properties.GlobalSecondaryIndexes = [...(properties.GlobalSecondaryIndexes ?? []), ...added];
  const names = new Set(properties.GlobalSecondaryIndexes.map(({ IndexName }) => IndexName));
  for (const replica of properties.Replicas ?? []) {
    const wanted = then.Replicas?.find(({ Region }) => isSame(Region, replica.Region))?.GlobalSecondaryIndexes ?? [];
    replica.GlobalSecondaryIndexes = [
      ...(replica.GlobalSecondaryIndexes ?? []),
      ...missingFrom(replica.GlobalSecondaryIndexes ?? [], wanted).filter(({ IndexName }) => names.has(IndexName)),
    ];
  }
  return template;
}

function tableOf({ Resources }: Template): [string, TableProperties] | [undefined, undefined] {
  const found = Object.entries(Resources).find(([, { Type }]) => /^AWS::DynamoDB::(Global)?Table$/.test(Type));
  return found ? [found[0], found[1].Properties as TableProperties] : [undefined, undefined];
}

const isSame = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);

const isOtherIndex = (old: Index, index: Index) =>
  old.IndexName === index.IndexName &&
  !(isSame(old.KeySchema, index.KeySchema) && isSame(old.Projection, index.Projection));

const missingFrom = <Named extends { IndexName: string }>(indexes: Named[], others: Named[]): Named[] =>
  others.filter(({ IndexName }) => !indexes.some((each) => each.IndexName === IndexName));
