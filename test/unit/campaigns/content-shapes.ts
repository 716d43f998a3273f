import { namesOf, type ObjectShape, type Shape } from '../../../lib/domain/campaigns/shape.ts';

const isSentence = (text: string) => /^(?:[A-Z]|A `).{3,}/.test(text);

/** What is wrong in a declaration of fields: an empty description, a name that is used twice, or no name of a field. */
export function objectErrors({ named, fields }: ObjectShape, path: string): string[] {
  const errors = /^(?:an? |the |typography$)/.test(named) ? [] : [`${path} has no name`];
  const names = Object.keys(fields);
  if (names.length === 0) errors.push(`${path} has no fields`);
  const written = names.flatMap((name) => namesOf(fields, name));
  if (new Set(written).size !== written.length) errors.push(`${path} has a name twice`);
  for (const name of written) if (!/^\w+$/.test(name)) errors.push(`${path} has a field "${name}"`);
  for (const [name, { shape, description, needs = [], unless }] of Object.entries(fields)) {
    const others = unless === undefined ? needs : [...needs, unless];
    if (!isSentence(description)) errors.push(`${path}/${name} is not described`);
    if (!others.every((each) => names.includes(each))) errors.push(`${path}/${name} depends on what is no field`);
    errors.push(...shapeErrors(shape, `${path}/${name}`));
  }
  return errors;
}

export function shapeErrors(shape: Shape, path: string): string[] {
  if (shape.is === 'list') return shapeErrors(shape.of, `${path}[]`);
  if (shape.is === 'object') return objectErrors(shape.of, path);
  if (shape.is === 'either') return [...shapeErrors(shape.text, path), ...objectErrors(shape.object, path)];
  return [];
}
