import { namesOf, type ObjectShape, type Shape } from '../../lib/domain/content/shape.ts';

const kinds: readonly Shape['is'][] = ['text', 'url', 'word', 'flag', 'file', 'setting', 'list', 'object', 'either'];
const forms = [
  'color',
  'dark',
  'font',
  'size',
  'radius',
  'scale',
  'image',
  'classes',
  'phone',
  'email',
  'count',
  'kind',
];
const isSentence = (text: string) => /^(?:[A-Z]|A `).{3,}/.test(text);

/** What is wrong in a declaration of fields: an empty description, or a name or form that there is not. */
export function shapeErrors(shape: Shape, path: string): string[] {
  const errors = kinds.includes(shape.is) ? [] : [`${path} is of no kind`];
  if ('form' in shape && !forms.includes(shape.form!)) errors.push(`${path} has no known form`);
  if (shape.is === 'file' && !['image', 'font'].includes(shape.type)) errors.push(`${path} is no known file`);
  if (shape.is === 'list') errors.push(...shapeErrors(shape.of, `${path}[]`));
  if (shape.is === 'object') errors.push(...objectErrors(shape.of, path));
  if (shape.is === 'either') errors.push(...shapeErrors(shape.text, path), ...objectErrors(shape.object, path));
  return errors;
}

export function objectErrors({ named, verb, fields }: ObjectShape, path: string): string[] {
  const errors = /^(?:an? |the |typography$)/.test(named) ? [] : [`${path} has no name`];
  if (verb !== undefined && !['is not shown', 'has no effect'].includes(verb)) errors.push(`${path} has no known verb`);
  const names = Object.keys(fields);
  if (names.length === 0) errors.push(`${path} has no fields`);
  const written = names.flatMap((name) => namesOf(fields, name));
  return names.reduce(
    (found, name) => {
      const { shape, description, also = [], needs = [], unless } = fields[name]!;
      const at = `${path}/${name}`;
      if (!isSentence(description)) found.push(`${at} is not described`);
      for (const other of also) if (!/^\w+$/.test(other)) found.push(`${at} has no other name "${other}"`);
      for (const other of needs) if (!names.includes(other)) found.push(`${at} needs "${other}", which is no field`);
      if (unless !== undefined && !names.includes(unless))
        found.push(`${at} depends on "${unless}", which is no field`);
      found.push(...shapeErrors(shape, at));
      return found;
    },
    errors.concat(new Set(written).size === written.length ? [] : [`${path} has a name twice`]),
  );
}
