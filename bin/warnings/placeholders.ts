import type { JsonObject } from '../../lib/domain/json.ts';
import { isOfPerson, isPrivateName, leftOut, namesIn } from '../../lib/domain/placeholders.ts';
import type { ErrorDetail } from '../../lib/domain/problem.ts';
import { isPlaceholderName, isUrlPlaceholderName, placeholderNames } from '../content/placeholder-names.ts';
import { similarTo } from '../content/similar.ts';
import type { ShownText } from './shapes.ts';

/**
 * Where texts are shown, which determines the placeholders that are filled in: on a journey page, in the content of a
 * channel for a contact (`channel withheld` if the campaign has `is_auth_required`), in the default content of a
 * channel, or where no placeholder is.
 */
export type Surface = 'journey' | 'channel' | 'channel withheld' | 'default content' | 'none';

/** The variables that the texts around the pages can use. */
export type SharedVariables = {
  variables: JsonObject;
  /** The places where some of them are not set: for each name, where it is empty. */
  missing: ReadonlyMap<string, string>;
};

/** Placeholders that are not filled in. */
export const placeholderWarnings = (
  texts: readonly ShownText[],
  surface: Surface,
  { variables = {}, missing }: Partial<SharedVariables> = {},
): ErrorDetail[] =>
  texts.flatMap(({ text, path, is }) => {
    const found = new Map(namesIn(text, variables).map((each) => [each.written, each]));
    return [...found].flatMap(([written, { name, fallback }]) => {
      const where = missing?.get(written);
      const place = { surface, is, variables: Object.keys(variables), hasFallback: (fallback ?? '') !== '' };
      const reason = where === undefined ? reasonNotFilled(written, name, place) : missingVariable(where);
      return reason === undefined ? [] : [{ path, message: `has the placeholder \`{{${written}}}\`, ${reason}` }];
    });
  });

/** @param where from {@link SharedVariables} */
const missingVariable = (where: string): string =>
  `which is a variable and is empty ${where}: write it into \`content_variables\` there`;

type Place = { surface: Surface; is: 'text' | 'url'; variables: readonly string[]; hasFallback: boolean };

function reasonNotFilled(written: string, name: string | undefined, { surface, is, variables, hasFallback }: Place) {
  if (surface === 'none') return 'but placeholders are not filled in here: write the text itself';
  if (name === undefined) return undefined;
  if (!isPlaceholderName(name)) {
    const shown = hasFallback ? 'always shows its fallback' : 'is shown as an empty text';
    return `which has no value and ${shown}${written === name ? hint(name, variables) : `, because the variable has the text \`${name}\``}`;
  }
  if (surface === 'default content') {
    return name === 'team.name'
      ? undefined
      : `which ${hasFallback ? 'only shows its fallback' : 'is empty'} here: everybody sees the same default content`;
  }
  if (is === 'url') {
    return isUrlPlaceholderName(name)
      ? undefined
      : `which ${hasFallback ? 'only shows its fallback' : 'stays empty'} in a URL, because others can see it: use only \`meta_public.…\`, \`account.meta_public.…\`, \`team.name\`, \`template.name\` or \`journey_url\``;
  }
  if (surface === 'journey') return undefined;
  if (isPrivateName(name)) return `which a channel shows as ${leftOut}: an identity cannot be proved there`;
  const isWithheld = surface === 'channel withheld' && isOfPerson(name);
  return isWithheld ? `which a channel shows as ${leftOut}, because the campaign has \`is_auth_required\`` : undefined;
}

/** Common names of other systems. */
const otherNames: Readonly<Record<string, string>> = {
  name: 'name_first',
  surname: 'name_last',
  phone: 'phone_mobile',
  zip: 'post_code',
  birthday: 'birthdate',
  bank: 'team.name',
  url: 'journey_url',
};

function hint(name: string, variables: readonly string[]): string {
  const own = name.replace(/^contact\./, '');
  const other = Object.hasOwn(otherNames, own) ? otherNames[own] : undefined;
  const meant = other ?? similarTo(own, [...variables, ...placeholderNames]);
  return meant === undefined ? '' : `: did you mean \`{{${meant}}}\`?`;
}
