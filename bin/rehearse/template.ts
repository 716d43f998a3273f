import { type Resource, referredBy, type Template } from '../deploy/template.ts';
import { leftOut, references, unknownType, withoutAttributes } from './template-rules.ts';

/** A resource that is left out, or whose text is changed, and why. */
export type TemplateChange = { resource: string; type: string; change: 'left out' | 'rewritten'; why: string };

/**
 * The template with the resources of its nested stacks that have no parameters: the emulator has no nested stacks.
 * @param read returns the template in a file of the assembly
 */
export function withNested(template: Template, read: (file: string) => Template): Template {
  const nested = Object.entries(template.Resources).flatMap(([id, { Type, Properties, Metadata }]) => {
    const file = Metadata?.['aws:asset:path'];
    if (Type !== 'AWS::CloudFormation::Stack' || Properties?.Parameters || typeof file !== 'string') return [];
    return [{ id, ...read(file) }];
  });
  const outputs = new Map(
    nested.flatMap(({ id, Outputs = {} }) =>
      Object.entries(Outputs).map(([name, { Value }]) => [JSON.stringify([id, `Outputs.${name}`]), Value]),
    ),
  );
  const merged = nested.reduce((resources, { id, Resources }) => {
    const { [id]: _, ...others } = resources;
    return { ...Resources, ...others };
  }, template.Resources);
  const inlined = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(inlined);
    if (typeof value !== 'object' || value === null) return value;
    const output = 'Fn::GetAtt' in value ? outputs.get(JSON.stringify(value['Fn::GetAtt'])) : undefined;
    return output ?? Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, inlined(inner)]));
  };
  return inlined({ ...template, Resources: merged }) as Template;
}

/**
 * A copy of the template that the emulator can deploy, and what was changed.
 * @param isKnown whether the emulator has resources of this type
 */
export function forEmulator(
  template: Template,
  isKnown: (type: string) => boolean,
): { template: Template; changes: TemplateChange[] } {
  const copy = structuredClone(template);
  const changes: TemplateChange[] = [];
  const remove = (id: string, why: string) => {
    changes.push({ resource: id, type: copy.Resources[id]!.Type, change: 'left out', why });
    delete copy.Resources[id];
  };
  for (const [id, resource] of Object.entries(copy.Resources)) {
    const why = leftOut[resource.Type] ?? (isKnown(resource.Type) ? undefined : unknownType);
    if (why) remove(id, why);
  }
  removeDangling(copy, template, remove);
  changes.push(...excludePunctuation(copy), ...rewriteReferences(copy, template));
  return { template: copy, changes };
}

/** Removes what refers to a removed resource: its place in an order or in a policy for updates, or the resource itself. */
function removeDangling(copy: Template, original: Template, remove: (id: string, why: string) => void): void {
  const isRemoved = (id: string) => id in original.Resources && !(id in copy.Resources);
  for (let found = true; found; ) {
    found = false;
    for (const [id, resource] of Object.entries(copy.Resources)) {
      const after = [resource.DependsOn ?? []].flat().filter((each) => !isRemoved(each));
      if (resource.DependsOn !== undefined) resource.DependsOn = after;
      if (referredBy(resource.UpdatePolicy).some(isRemoved)) delete resource.UpdatePolicy;
      const missing = referredBy(resource).find(isRemoved);
      if (missing === undefined) continue;
      remove(id, `it refers to ${missing}`);
      found = true;
    }
  }
  for (const [name, output] of Object.entries(copy.Outputs ?? {})) {
    const isUnknown = (id: string) => isRemoved(id) || withoutAttributes.has(original.Resources[id]?.Type ?? '');
    if (referredBy(output).some(isUnknown)) delete copy.Outputs![name];
  }
}

const punctuation = `!"#$%&'()*+,-./:;<=>?@[\\]^_\`{|}~`;

/** Names the characters that a generated secret must not have: the emulator ignores `ExcludePunctuation`. */
function excludePunctuation(copy: Template): TemplateChange[] {
  return Object.entries(copy.Resources).flatMap(([id, { Type, Properties }]) => {
    const generated = Properties?.GenerateSecretString as Record<string, unknown> | undefined;
    if (Type !== 'AWS::SecretsManager::Secret' || generated?.ExcludePunctuation !== true) return [];
    generated.ExcludeCharacters = punctuation;
    return [{ resource: id, type: Type, change: 'rewritten' as const, why: 'the emulator ignores ExcludePunctuation' }];
  });
}

/** Replaces `Ref` where it has another value than on AWS. */
function rewriteReferences(copy: Template, original: Template): TemplateChange[] {
  const changes: TemplateChange[] = [];
  const attributeOf = (id: string) => references[original.Resources[id]?.Type ?? ''];
  const rewritten = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(rewritten);
    if (typeof value !== 'object' || value === null) return value;
    const id = 'Ref' in value ? String(value.Ref) : undefined;
    const reference = id === undefined ? undefined : attributeOf(id);
    if (reference) return { 'Fn::GetAtt': [id, reference.attribute] };
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, rewritten(inner)]));
  };
  for (const [id, resource] of Object.entries(copy.Resources)) {
    const changed = rewritten(resource) as Resource;
    const target = referredBy(resource).find((each) => attributeOf(each));
    if (target === undefined || JSON.stringify(changed) === JSON.stringify(resource)) continue;
    copy.Resources[id] = changed;
    changes.push({ resource: id, type: resource.Type, change: 'rewritten', why: attributeOf(target)!.why });
  }
  if (copy.Outputs) copy.Outputs = rewritten(copy.Outputs) as NonNullable<Template['Outputs']>;
  return changes;
}
