import { listed } from '../../lib/content/similar.ts';
import {
  type Field,
  type Fields,
  namesOf,
  type ObjectShape,
  type SettingForm,
  type Shape,
} from '../../lib/domain/campaigns/shape.ts';
import { linksIn, unmarked } from '../../lib/domain/journeys/markup.ts';
import { scaleOf } from '../../lib/domain/journeys/survey.ts';
import { pathOfNamedFile } from '../../lib/domain/teams/team-file.ts';
import { isJsonObject, isRawNumber, type JsonObject, type JsonValue } from '../../lib/domain/values/json.ts';
import { type ErrorDetail, pointer } from '../../lib/domain/values/problem.ts';
import { similarTo } from '../../lib/domain/values/similar.ts';
import { isClassName } from '../../lib/web/blocks/blocks.ts';
import { colorOf } from '../../lib/web/css/color.ts';
import { isBaseSize, isFontName, isRadius } from '../../lib/web/css/theme.ts';
import { isImageData } from '../../lib/web/links.ts';

/** A text or URL that a page shows. `isInText`: the URL of a link inside a text. */
export type ShownText = { text: string; path: string; is: 'text' | 'url'; isInText?: true };

/** What a page reads of a value: warnings for all parts that it does not read, and the texts that it shows. */
export type Reading = { warnings: ErrorDetail[]; texts: ShownText[] };

/** @param named what holds the value, for messages, for example "a footer" */
export function readingOf(value: JsonValue | undefined, shape: Shape, path: string): Reading {
  if (isEmpty(value)) return nothing;
  switch (shape.is) {
    case 'text':
      if (typeof value === 'string')
        // A text with a form is shown in any case, but may not be the link that it could be.
        return {
          ...(shape.form ? readingOfForm(value, shape.form, path) : nothing),
          texts: shape.marks ? markedTexts(value, path) : [{ text: value, path, is: 'text' }],
        };
      return isNumber(value) && shape.numbers ? nothing : unread(path, 'is not shown: write a text in quotes');
    case 'url':
      if (typeof value === 'string') return { warnings: [], texts: [{ text: value, path, is: 'url' }] };
      return unread(path, 'is not used: write a URL in quotes');
    case 'setting':
      return readingOfForm(value, shape.form, path);
    case 'word':
    case 'flag':
    case 'file':
      return readingOfForm(value, shape.is, path);
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

/** A text and the URLs of its links, whose placeholders are filled in in another way. */
const markedTexts = (text: string, path: string): ShownText[] => [
  { text: unmarked(text, () => ''), path, is: 'text' },
  ...linksIn(text).map((url): ShownText => ({ text: url, path, is: 'url', isInText: true })),
];

function readingOfForm(value: JsonValue, form: keyof typeof forms, path: string): Reading {
  const { reads, message } = forms[form];
  return reads(value) ? nothing : unread(path, message);
}

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

export const joined = (readings: readonly Reading[]): Reading => ({
  warnings: readings.flatMap(({ warnings }) => warnings),
  texts: readings.flatMap(({ texts }) => texts),
});

/** For each form of value: whether a page can read it, and what to write instead. */
const forms: Readonly<
  Record<SettingForm | 'word' | 'flag' | 'file', { reads(value: JsonValue): boolean; message: string }>
> = {
  word: { reads: (value) => typeof value === 'string', message: 'is not used: write a text in quotes' },
  flag: {
    reads: (value) => typeof value === 'boolean',
    message: 'has no effect: write true or false, without quotes',
  },
  file: {
    // Whether there is such a file is another warning.
    reads: (value) => pathOfNamedFile(value) !== undefined,
    message: 'is not the id of a file: store the file with `file put` and write the id that the command prints',
  },
  color: {
    reads: (value) => colorOf(value) !== undefined,
    message: 'is not a color that a page can read: write #rrggbb, #rgb or rgb(r, g, b)',
  },
  dark: {
    reads: (value) => typeof value === 'boolean' || isJsonObject(value),
    message: 'has no effect: write an object with colors, true for dark colors, or false for none',
  },
  font: {
    reads: isFontName,
    message:
      'is not the name of a font: write letters, digits, spaces, commas and hyphens, and no keyword such as `inherit`',
  },
  size: { reads: isBaseSize, message: 'has no effect: write a text from "14px" to "22px", such as "18px"' },
  radius: { reads: isRadius, message: 'has no effect: write a text from "0px" to "99px", such as "8px"' },
  count: {
    reads: (value) => Number.isInteger(value) && Number(value) > 0,
    message: 'has no effect: write a whole number from 1',
  },
  kind: {
    reads: (value) => value === 'number' || value === 'date',
    message: 'has no effect: write number or date, or delete the field, so that the person types a text',
  },
  scale: {
    reads: (value) => scaleOf(value) !== undefined,
    message:
      'is not a scale: write the lowest and the highest number, with at most 11 steps, such as [1, 5]. The scale is not shown',
  },
  classes: {
    reads: (value) => typeof value === 'string' && value.trim().split(/\s+/).every(isClassName),
    message:
      'has a name that cannot be a class and is left out: write letters, digits, - and _, beginning with a letter, with spaces between several names',
  },
  phone: {
    reads: (value) => typeof value === 'string' && isPhoneNumber(value),
    message:
      'is not a phone number, so its link calls nobody: write one number in digits without letters, such as "+1 555 010 0199"',
  },
  email: {
    reads: (value) => typeof value === 'string' && isAddressAlone(value.trim()),
    message:
      'is not an email address, so its link does not work: write the address alone, such as "help@bank.example", without a name and without `mailto:`',
  },
  image: {
    reads: (value) => typeof value === 'string' && isImageData(value),
    message:
      'is not an image that a page can show: pages load no images from other sites. Store the image with `file put` and write its id into `file_id`',
  },
};

/** At most 15 digits (E.164), which two numbers exceed. */
function isPhoneNumber(text: string): boolean {
  const digits = text.replaceAll(/\D/g, '').length;
  return digits >= 3 && digits <= 15 && !/[\p{L},;|\n]|\+.*\+/u.test(text);
}

const isAddressAlone = (text: string): boolean =>
  /^[^\s@:,;<>"()]+@[^\s@:,;<>"().]+(?:\.[^\s@:,;<>"().]+)+$/.test(text);
