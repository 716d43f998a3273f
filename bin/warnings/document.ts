import type { GivenDocument } from '../../lib/domain/campaigns/document.ts';
import type { Shape } from '../../lib/domain/campaigns/shape.ts';
import { knownFields } from '../../lib/domain/contacts/contact.ts';
import { isFilledText, isJsonObject, type JsonValue } from '../../lib/domain/values/json.ts';
import type { ErrorDetail } from '../../lib/domain/values/problem.ts';
import { endingCall, footer, support } from '../content/open-fields.ts';
import { unknownFieldWarnings } from '../content/unknown-fields.ts';
import { blocksWarnings } from './blocks.ts';
import { type GivenTemplate, warnIf } from './given.ts';
import { messagesWarnings } from './messages.ts';
import { needsProof, pageWarnings } from './page.ts';
import { type Surface, shownWarnings } from './placeholders.ts';
import { readingOf } from './shapes.ts';
import { contrastWarnings, cssWarnings, styleSheetWarnings, styleWarnings, themeWarnings } from './styles.ts';
import { languageWarnings, translationWarnings } from './translations.ts';
import { emptyContentWarnings, variablesOf, visibilityWarnings } from './visibility.ts';

/**
 * What the import accepts but a page cannot show or complete (contract, section 9), or what a message cannot.
 * @param value the document as it was sent @param document what was read of it
 */
export function contentWarnings(value: JsonValue, document: GivenDocument): ErrorDetail[] {
  const { engagement_channels, objectives, templates } = document;
  return [
    ...unknownFieldWarnings(value),
    // A field of contacts wins over an objective of the same name (contract, section 3).
    ...objectives.flatMap(({ key }, index) =>
      warnIf(
        knownFields.has(key),
        `/objectives/${index}/key`,
        `is a field of contacts, which completes nothing: choose another, such as \`${key}_done\``,
      ),
    ),
    ...engagement_channels.flatMap((each, index) => channelWarnings(each, `/engagement_channels/${index}`)),
    ...templates.flatMap((each, index) => templateWarnings(each, `/templates/${index}`)),
  ];
}

function channelWarnings(
  { theme_styles, default_content: content }: GivenDocument['engagement_channels'][number],
  path: string,
): ErrorDetail[] {
  const at = `${path}/default_content`;
  const themes = [
    { value: theme_styles, path: `${path}/theme_styles` },
    { value: theme_styles?.overrides, path: `${path}/theme_styles/overrides` },
  ];
  return [
    ...styleSheetWarnings(theme_styles, `${path}/theme_styles`),
    ...contrastWarnings(themes),
    ...emptyContentWarnings(content, at),
    ...cssWarnings(content?.css, `${at}/css`),
    ...styleWarnings(content?.styles, `${at}/styles`),
    ...blocksWarnings(content?.content_blocks ?? [], at, { condition: null, surface: 'default content' }),
  ];
}

function templateWarnings(template: GivenTemplate, path: string): ErrorDetail[] {
  const { content_blocks, template_pages, ending, support_owner_options: given } = template;
  const variables = variablesOf(template);
  const pages = template_pages.flatMap(({ page, content_variables }, index) =>
    page ? [{ page, around: { template, variables: content_variables ?? {} }, index }] : [],
  );
  // Who cannot prove to be the contact needs the institution.
  const isReached = isJsonObject(given) && [given.text, given.phone, given.email, given.url].some(isFilledText);
  // A journey ends when its pages with a condition are completed. A page that is given only by its id can have one.
  const canEnd = template_pages.some(({ page }) => page?.completion_condition !== null);
  return [
    ...languageWarnings(template.language, `${path}/language`),
    ...visibilityWarnings(template, path),
    ...textWarnings(template, path),
    ...warnIf(
      ending !== null && !canEnd,
      `${path}/ending`,
      'is never shown, because no page has a `completion_condition`: then a journey has no end',
    ),
    ...themeAndCssWarnings(template, path),
    ...warnIf(
      template.is_targeting_priority === true && template.targeting_groups === null,
      `${path}/is_targeting_priority`,
      'lets the open journeys of this campaign keep every other campaign from the contact, but it has no `targeting_groups` itself: is that meant?',
    ),
    ...warnIf(
      !isReached && pages.some(({ page, around }) => needsProof(page, around)),
      `${path}/support_owner_options`,
      'has no phone, email or url, but pages need a proof of identity: say how people reach you without it',
    ),
    ...blocksWarnings(content_blocks, path, { condition: null, surface: 'journey', isIntroduction: true, variables }),
    ...pages.flatMap(({ page, around, index }) => pageWarnings(page, around, `${path}/template_pages/${index}/page`)),
    ...messagesWarnings(template, path),
    ...translationWarnings(template, path),
  ];
}

/** What pages do not use of the theme and the CSS of a template, and colors that cannot be read. */
function themeAndCssWarnings(template: GivenTemplate, path: string): ErrorDetail[] {
  const { theme_base, theme, theme_overrides, styles, css, custom_css } = template;
  const themes = { theme_base, theme, theme_overrides };
  const parts = Object.entries({ ...themes, styles, 'styles/overrides': styles?.overrides });
  return [
    ...Object.entries(themes).flatMap(([name, value]) => themeWarnings(value, `${path}/${name}`)),
    ...styleSheetWarnings(styles, `${path}/styles`),
    ...contrastWarnings(parts.map(([name, value]) => ({ value, path: `${path}/${name}` }))),
    ...cssWarnings(css, `${path}/css`),
    ...cssWarnings(custom_css, `${path}/custom_css`),
  ];
}

/** The texts of the template itself. */
function textWarnings(template: GivenTemplate, path: string): ErrorDetail[] {
  const { ending, journey_title_options: title } = template;
  const variables = variablesOf(template);
  const text: Shape = { is: 'text' };
  const prose: Shape = { is: 'text', marks: true };
  const shown: [value: JsonValue | undefined, field: string, shape?: Shape, surface?: Surface][] = [
    [template.name, 'name', text, 'none'],
    [template.logo_file_id, 'logo_file_id', { is: 'file', type: 'image' }, 'none'],
    [template.footer_content, 'footer_content', footer],
    [template.support_owner_options, 'support_owner_options', { is: 'object', of: support }, 'none'],
    [ending?.heading, 'ending/heading'],
    [ending?.body, 'ending/body', prose],
    [ending?.next, 'ending/next', prose],
    [ending?.cta, 'ending/cta', { is: 'object', of: endingCall }],
    ...(title?.type === 'CUSTOM' ? [[title.custom, 'journey_title_options/custom'] as [JsonValue, string]] : []),
  ];
  const isUnused = (title?.custom ?? null) !== null && title?.type !== 'CUSTOM';
  return [
    ...shown.flatMap(([value, field, shape = text, surface = 'journey']) =>
      shownWarnings(readingOf(value, shape, `${path}/${field}`), surface, { variables }),
    ),
    ...warnIf(isUnused, `${path}/journey_title_options/custom`, 'is not shown: write "CUSTOM" into `type`'),
  ];
}
