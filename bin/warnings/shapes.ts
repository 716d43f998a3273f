import { type Field, type Fields, namesOf, type ObjectShape, type Shape } from '../../lib/domain/content/shape.ts';
import { isJsonObject, isRawNumber, type JsonObject, type JsonValue } from '../../lib/domain/json.ts';
import { type ErrorDetail, pointer } from '../../lib/domain/problem.ts';
import { pathOfNamedFile } from '../../lib/domain/team-file.ts';
import { listed, similarTo } from '../content/similar.ts';
import { settings } from './settings.ts';

/** A text or URL that a page shows. */
export type ShownText = { text: string; path: string; is: 'text' | 'url' };

/** What a page reads of a value: warnings for all parts that it does not read, and the texts that it shows. */
export type Reading = { warnings: ErrorDetail[]; texts: ShownText[] };

/** @param named what holds the value, for messages, for example "a footer" */
export function readingOf(value: JsonValue | undefined, shape: Shape, path: string): Reading {
  if (isEmpty(value)) return nothing;
  switch (shape.is) {
    case 'text':
      if (typeof value === 'string')
        return { warnings: formWarnings(value, shape, path), texts: [textAt(value, path)] };
      return isNumber(value) && shape.numbers ? nothing : unread(path, 'is not shown: write a text in quotes');
    case 'url':
      if (typeof value === 'string') return { warnings: [], texts: [{ text: value, path, is: 'url' }] };
      return unread(path, 'is not used: write a URL in quotes');
    case 'word':
      return typeof value === 'string' ? nothing : unread(path, 'is not used: write a text in quotes');
    case 'flag':
      return typeof value === 'boolean' ? nothing : unread(path, 'has no effect: write true or false, without quotes');
    case 'file':
      return isFileId(value)
        ? nothing
        : unread(
            path,
            'is not the id of a file: store the file with `file put` and write the id that the command prints',
          );
    case 'setting':
      return settings[shape.form].reads(value) ? nothing : unread(path, settings[shape.form].message);
    case 'list':
      if (!Array.isArray(value)) return unread(path, 'is not shown: write a list in [ ]');
      return joined(value.map((each, index) => readingOf(each, shape.of, `${path}/${index}`)));
    case 'object':
      return isJsonObject(value) ? readingOfObject(value, shape.of, path) : unread(path, notObject(shape.of));
    case 'either':
      if (isJsonObject(value)) return readingOfObject(value, shape.object, path);
      return readingOf(value, shape.text, path);
  }
}

const textAt = (text: string, path: string): ShownText => ({ text, path, is: 'text' });

/** A text that is shown, but not as the link that it could be. */
const formWarnings = (text: string, { form }: Shape & { is: 'text' }, path: string): ErrorDetail[] =>
  form === undefined || settings[form].reads(text) ? [] : [{ path, message: settings[form].message }];

const notObject = ({ verb = 'is not shown', fields }: ObjectShape): string =>
  `${verb}: write an object with ${listed(Object.keys(fields))}`;

/** The members of an object, which are read by the declared names only. */
export function readingOfObject(value: JsonObject, shape: ObjectShape, path: string): Reading {
  const { fields } = shape;
  const known = new Set(Object.keys(fields).flatMap((name) => namesOf(fields, name)));
  const unknown = Object.keys(value)
    .filter((name) => !known.has(name) && !isEmpty(value[name]))
    .map((name) => ({ path: path + pointer([name]), message: unknownField(name, shape) }));
  return joined([
    { warnings: unknown, texts: [] },
    ...Object.entries(fields).map(([name, field]) => readingOfField(value, name, field, { shape, path })),
  ]);
}

function unknownField(name: string, { named, verb = 'is not shown', fields }: ObjectShape): string {
  const names = Object.keys(fields).filter((each) => !hidden.includes(each));
  const meant = similarTo(name, names);
  return meant === undefined
    ? `${verb}: ${named} ${names.length === 0 ? 'has no fields' : `has only the fields ${listed(names)}`}`
    : `${verb}: did you mean \`${meant}\`?`;
}

/** Fields of every block that are not shown. */
const hidden = ['name', 'customClass'];

type Around = { shape: ObjectShape; path: string };

function readingOfField(value: JsonObject, name: string, field: Field, { shape, path }: Around): Reading {
  const { fields, verb = 'is not shown' } = shape;
  const given = givenNames(value, fields, name);
  const [read] = given;
  if (read === undefined) return nothing;
  const at = path + pointer([read]);
  const { needs, unless } = field;
  if (unless !== undefined && isShown(value, fields, unless)) {
    return unread(at, `${verb}, because \`${unless}\` is used instead: write only one of them`);
  }
  if (needs && !needs.some((each) => givenNames(value, fields, each).length > 0)) {
    return unread(at, `${verb} without ${listed(needs, 'or')}`);
  }
  return readingOf(value[read], field.shape, at);
}

/** The names of the field that have a value, the one that is read first. */
const givenNames = (value: JsonObject, fields: Fields, name: string): string[] => {
  const given = namesOf(fields, name).filter((each) => Object.hasOwn(value, each) && !isEmpty(value[each]));
  const shape = fields[name]?.shape;
  const isRead = (each: string) =>
    shape?.is === 'list' ? Array.isArray(value[each]) : typeof value[each] === 'string';
  return shape?.is === 'text' || shape?.is === 'url' || shape?.is === 'list'
    ? given.sort((a, b) => Number(isRead(b)) - Number(isRead(a)))
    : given;
};

function isShown(value: JsonObject, fields: Fields, name: string): boolean {
  const [read] = givenNames(value, fields, name);
  return read !== undefined && readingOf(value[read], fields[name]!.shape, '').warnings.length === 0;
}

const nothing: Reading = { warnings: [], texts: [] };
const unread = (path: string, message: string): Reading => ({ warnings: [{ path, message }], texts: [] });
const isNumber = (value: JsonValue | undefined): boolean => typeof value === 'number' || isRawNumber(value ?? null);

/** Nothing is lost of these. */
const isEmpty = (value: JsonValue | undefined): value is null | undefined | '' =>
  value === undefined || value === null || isBlankText(value);

const isBlankText = (value: JsonValue | undefined): boolean => typeof value === 'string' && value.trim() === '';

/** Whether there is such a file is another warning. */
const isFileId = (value: JsonValue | undefined): boolean => pathOfNamedFile(value) !== undefined;

export const joined = (readings: readonly Reading[]): Reading => ({
  warnings: readings.flatMap(({ warnings }) => warnings),
  texts: readings.flatMap(({ texts }) => texts),
});
