import { similarTo } from '../../domain/content/similar.ts';
import type { JsonObject } from '../../domain/json.ts';
import { isPlaceholderName, isUrlPlaceholderName, placeholderNames } from '../../domain/placeholder-names.ts';
import { isOfPerson, isPrivateName, leftOut, namesIn } from '../../domain/placeholders.ts';
import type { ErrorDetail } from '../../domain/problem.ts';
import { fallbacksIn } from './fallbacks.ts';
import type { ShownText } from './shapes.ts';

/**
 * Where texts are shown, which determines the placeholders that are filled in: on a journey page, in the content of a
 * channel for a contact (`isWithheld` if the campaign has `is_auth_required`), in the default content of a channel, or
 * where no placeholder is.
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
    const unfilled = [...found].flatMap(([written, { name, fallback }]) => {
      const where = missing?.get(written);
      const place = { surface, is, variables: Object.keys(variables), hasFallback: (fallback ?? '') !== '' };
      const reason = where === undefined ? reasonNotFilled(written, name, place) : missingVariable(where);
      return reason === undefined ? [] : [`has the placeholder \`{{${written}}}\`, ${reason}`];
    });
    const isNamed = (written: string) => {
      const name = found.get(written)?.name;
      return name === undefined || isPlaceholderName(name);
    };
    const messages = surface === 'none' ? unfilled : [...unfilled, ...fallbacksIn(text, isNamed)];
    return messages.map((message) => ({ path, message }));
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
    return `which has no value and ${shown}${hint(written, name, variables)}`;
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
  fname: 'name_first',
  surname: 'name_last',
  lname: 'name_last',
  phone: 'phone_mobile',
  mobile: 'phone_mobile',
  zip: 'post_code',
  postal_code: 'post_code',
  birthday: 'birthdate',
  date_of_birth: 'birthdate',
  bank: 'team.name',
  url: 'journey_url',
};

function hint(written: string, name: string, variables: readonly string[]): string {
  if (written !== name) return hintOfVariable(name);
  if (today.test(name))
    return '. Pages have no date of today: write the date, or send it in the metadata of the contact';
  const meant = withFallback(name) ?? similarName(name, variables);
  return meant === undefined ? '' : `: did you mean \`{{${meant}}}\`?`;
}

/** Names of the present time in other systems. */
const today = /^(?:now|today|sysdate|(?:current|todays?)[_ .-]?(?:date|time|year)|system\.(?:date|time|now))\b/i;

/** A variable that is the name of a value which does not exist. */
function hintOfVariable(name: string): string {
  const meant = similarName(name, []);
  const start = `, because it is the variable with the text \`${name}\`, which is not the name of a value`;
  if (meant === undefined) return start;
  return `${start}: did you mean \`${name.startsWith('contact.') && isOfPerson(meant) ? 'contact.' : ''}${meant}\`?`;
}

/** A fallback in the notation of another system, such as `name_first or "friend"`. */
function withFallback(written: string): string | undefined {
  const [, name = '', text] =
    /^([\w.]+)\s*(?::|,|\?\?|\bor\b|\bdefault\b)\s*[:=]?\s*["']?(.+?)["']?$/i.exec(written) ?? [];
  return isPlaceholderName(name) ? `${name}|${text}` : undefined;
}

function similarName(name: string, variables: readonly string[]): string | undefined {
  const own = name.replace(/^contact\./, '');
  return Object.hasOwn(otherNames, own) ? otherNames[own] : similarTo(own, [...variables, ...placeholderNames]);
}

/** The placeholder that a name in another notation means: the name itself or a similar one. */
export function meantName(name: string, variables: readonly string[]): string | undefined {
  if (isPlaceholderName(name) || variables.includes(name)) return name;
  return similarName(name.toLowerCase().replaceAll(/[ -]+/g, '_'), variables);
}
