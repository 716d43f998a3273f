import { endingCall, footer, support } from '../../domain/content/open-fields.ts';
import type { JsonValue } from '../../domain/json.ts';
import type { ErrorDetail } from '../../domain/problem.ts';
import { partsOfBlocks } from './blocks.ts';
import type { UsedClasses } from './classes.ts';
import { emptyTextWarnings, footerLinkWarnings } from './empty.ts';
import type { GivenTemplate } from './given.ts';
import { orderWarnings } from './order.ts';
import { partsOfPage } from './page.ts';
import { lost, noted, type Part, partOf } from './parts.ts';
import type { SharedVariables } from './placeholders.ts';
import { privateTextWarnings } from './private.ts';
import { readingOf } from './shapes.ts';
import { templateStyleWarnings } from './template-styles.ts';
import { homeWarnings, spaceWarnings, titleWarnings, untitledWarnings } from './titles.ts';
import { partsOfVariables, type VariableNames, variablesOfAll, variablesOfFirst } from './variables.ts';

type Given = {
  /** The variables of all templates. */
  names: VariableNames;
  usedClasses: UsedClasses | undefined;
  /** True if a list of blocks or pages is in a field that is not known. What is missing then follows from that. */
  isPartial: boolean;
};

/** What pages read of a template, and warnings for everything that they do not show. */
export function partsOfTemplate(
  template: GivenTemplate,
  path: string,
  { names, usedClasses, isPartial }: Given,
): Part[] {
  const { content_blocks, template_pages } = template;
  return [
    ...partsOfTexts(template, path, variablesOfAll(template)),
    noted(isPartial ? [] : endingWarnings(template, `${path}/ending`)),
    noted(templateStyleWarnings(template, path, isPartial)),
    ...partsOfBlocks(content_blocks, path, {
      ...{ condition: null, surface: 'journey', isIntroduction: true, template, usedClasses: usedClasses?.names },
      ...variablesOfFirst(template),
    }),
    noted([...orderWarnings(template_pages, `${path}/template_pages`), ...titleWarnings(template_pages, path)]),
    noted(isPartial ? [] : untitledWarnings(template, path)),
    ...template_pages.flatMap((each, index) => {
      const at = `${path}/template_pages/${index}`;
      const around = { template, variables: each.content_variables ?? {}, usedClasses, isPartial };
      return [
        ...partsOfVariables(around.variables, names, at),
        ...(each.page ? partsOfPage(each.page, around, `${at}/page`) : []),
      ];
    }),
  ];
}

/** A journey ends when its pages with a condition are completed. */
function endingWarnings({ ending, template_pages }: GivenTemplate, path: string): ErrorDetail[] {
  // A page that is given only by its id can have a condition.
  const canEnd = template_pages.some(({ page }) => page?.completion_condition !== null);
  if (ending === null || canEnd) return [];
  return [{ path, message: 'is never shown, because no page has a `completion_condition`: then a journey has no end' }];
}

/** The texts of the template itself. */
function partsOfTexts(template: GivenTemplate, path: string, variables: SharedVariables): Part[] {
  const { name, logo_file_id, footer_content, support_owner_options, ending } = template;
  const text = { is: 'text' } as const;
  const { heading, body, next, cta } = ending ?? {};
  return [
    noted([
      ...emptyTextWarnings({ name, logo_file_id }, path),
      ...spaceWarnings(name, `${path}/name`),
      ...emptyTextWarnings({ heading, body, next }, `${path}/ending`),
      ...footerLinkWarnings(footer_content as JsonValue, `${path}/footer_content`),
    ]),
    partOf(readingOf(name, text, `${path}/name`), 'none'),
    partOf(readingOf(logo_file_id, { is: 'file', type: 'image' }, `${path}/logo_file_id`), 'none'),
    partOf(readingOf(footer_content, footer, `${path}/footer_content`), 'journey', variables),
    partOf(readingOf(support_owner_options, { is: 'object', of: support }, `${path}/support_owner_options`), 'none'),
    ...Object.entries({ heading, body, next }).map(([field, value]) =>
      partOf(readingOf(value, text, `${path}/ending/${field}`), 'journey', variables),
    ),
    partOf(readingOf(cta, { is: 'object', of: endingCall }, `${path}/ending/cta`), 'journey', variables),
    noted(homeWarnings(cta, `${path}/ending/cta/url`)),
    ...partsOfTitle(template, `${path}/journey_title_options`, variables),
    noted(privateTextWarnings(template, path, variables)),
  ];
}

function partsOfTitle(
  { journey_title_options: options }: GivenTemplate,
  path: string,
  variables: SharedVariables,
): Part[] {
  const { type = null, custom = null } = options ?? {};
  if (custom !== null && type !== 'CUSTOM') {
    return [lost([{ path: `${path}/custom`, message: 'is not shown: write "CUSTOM" into `type`' }])];
  }
  if ((custom ?? '').trim() === '' && type === 'CUSTOM') {
    return [
      noted([
        {
          path: `${path}/custom`,
          message: `is ${custom === null ? 'not set' : 'empty'}, so journeys have no title: write the title into it`,
        },
      ]),
    ];
  }
  return [partOf(readingOf(custom, { is: 'text' }, `${path}/custom`), 'journey', variables)];
}
