import { isFilledText, isJsonObject, type JsonObject } from '../../lib/domain/json.ts';
import type { ErrorDetail } from '../../lib/domain/problem.ts';
import { endingCall, footer, support } from '../content/open-fields.ts';
import { blocksWarnings } from './blocks.ts';
import { contrastWarnings } from './contrast.ts';
import type { GivenTemplate } from './given.ts';
import { needsProof, pageWarnings } from './page.ts';
import { shownWarnings } from './placeholders.ts';
import { readingOf } from './shapes.ts';
import { cssWarnings, styleSheetWarnings, themeWarnings } from './styles.ts';
import { variablesOf } from './visibility.ts';

/** Warnings for everything that pages do not show of a template. */
export function templatePartWarnings(template: GivenTemplate, path: string): ErrorDetail[] {
  const { content_blocks, template_pages } = template;
  return [
    ...textWarnings(template, path, variablesOf(template)),
    ...endingWarnings(template, `${path}/ending`),
    ...themeAndCssWarnings(template, path),
    ...reachWarnings(template, `${path}/support_owner_options`),
    ...blocksWarnings(content_blocks, path, {
      ...{ condition: null, surface: 'journey', isIntroduction: true },
      variables: variablesOf(template),
    }),
    ...template_pages.flatMap(({ page, content_variables }, index) =>
      page
        ? pageWarnings(page, { template, variables: content_variables ?? {} }, `${path}/template_pages/${index}/page`)
        : [],
    ),
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

/** Who cannot prove to be the contact needs the institution. */
function reachWarnings({ support_owner_options: given, ...template }: GivenTemplate, path: string): ErrorDetail[] {
  const isReached = isJsonObject(given) && [given.text, given.phone, given.email, given.url].some(isFilledText);
  const asks = template.template_pages.some(({ page, content_variables }) =>
    page ? needsProof(page, { template: template as GivenTemplate, variables: content_variables ?? {} }) : false,
  );
  const message = 'has no phone, email or url, but pages need a proof of identity: say how people reach you without it';
  return asks && !isReached ? [{ path, message }] : [];
}

/** A journey ends when its pages with a condition are completed. */
function endingWarnings({ ending, template_pages }: GivenTemplate, path: string): ErrorDetail[] {
  // A page that is given only by its id can have a condition.
  const canEnd = template_pages.some(({ page }) => page?.completion_condition !== null);
  if (ending === null || canEnd) return [];
  return [{ path, message: 'is never shown, because no page has a `completion_condition`: then a journey has no end' }];
}

/** The texts of the template itself. */
function textWarnings(template: GivenTemplate, path: string, variables: JsonObject): ErrorDetail[] {
  const { name, logo_file_id, footer_content, support_owner_options, ending } = template;
  const { heading, body, next, cta } = ending ?? {};
  return [
    ...shownWarnings(readingOf(name, { is: 'text' }, `${path}/name`), 'none'),
    ...shownWarnings(readingOf(logo_file_id, { is: 'file', type: 'image' }, `${path}/logo_file_id`), 'none'),
    ...shownWarnings(readingOf(footer_content, footer, `${path}/footer_content`), 'journey', { variables }),
    ...shownWarnings(
      readingOf(support_owner_options, { is: 'object', of: support }, `${path}/support_owner_options`),
      'none',
    ),
    ...Object.entries({ heading, body, next }).flatMap(([field, value]) =>
      shownWarnings(readingOf(value, { is: 'text' }, `${path}/ending/${field}`), 'journey', { variables }),
    ),
    ...shownWarnings(readingOf(cta, { is: 'object', of: endingCall }, `${path}/ending/cta`), 'journey', { variables }),
    ...titleWarnings(template, `${path}/journey_title_options`, variables),
  ];
}

function titleWarnings({ journey_title_options: options }: GivenTemplate, path: string, variables: JsonObject) {
  const { type = null, custom = null } = options ?? {};
  const at = `${path}/custom`;
  if (custom !== null && type !== 'CUSTOM') {
    return [{ path: at, message: 'is not shown: write "CUSTOM" into `type`' }];
  }
  return shownWarnings(readingOf(custom, { is: 'text' }, at), 'journey', { variables });
}
