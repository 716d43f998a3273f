import { describe, expect, test } from 'vitest';
import { localized, translated, withTexts } from '../../../lib/domain/campaigns/translate.ts';
import type { Team } from '../../../lib/domain/teams/team.ts';
import { parseJson } from '../../../lib/domain/values/json.ts';
import { shown, templateWith } from '../../support/samples/content-documents.ts';

/** A template with a text in each place where a page can show one. */
const everywhere = () =>
  shown({
    templates: [
      {
        name: 'name',
        css: 'untouched',
        logo_file_id: 'logo',
        footer_content: { text: 'footer', links: [{ text: 'link', url: 'url' }], count: 2, exact: null, on: true },
        support_owner_options: 'support',
        ending: { heading: 'ending', cta: ['call', parseJson('1.0')] },
        journey_title_options: { type: 'CUSTOM', custom: 'title' },
        content_blocks: [{ type: 'text', data: { body: 'block' } }, { type: 'divider' }],
        template_pages: [
          {
            content_variables: { greeting: 'variable' },
            page: {
              slug: 'untouched',
              navigation_title: 'navigation',
              content_name: 'content name',
              completion_message: 'completed',
              content: 'content',
              cta: { text: 'cta' },
              content_blocks: [{ data: { list: ['in page'] } }],
              content_containers: [{ content_blocks: [{}, { data: { heading: 'in container' } }] }],
            },
          },
          { page: {} },
        ],
        template_messages: [{ message: { content_name: 'untouched' } }],
      },
    ],
  }).templates[0]!;

const page = '/t/template_pages/0/page';
const texts = {
  '/t/name': 'name',
  '/t/logo_file_id': 'logo',
  '/t/footer_content/text': 'footer',
  '/t/footer_content/links/0/text': 'link',
  '/t/footer_content/links/0/url': 'url',
  '/t/support_owner_options': 'support',
  '/t/ending/heading': 'ending',
  '/t/ending/cta/0': 'call',
  '/t/journey_title_options/custom': 'title',
  '/t/content_blocks/0/data/body': 'block',
  '/t/template_pages/0/content_variables/greeting': 'variable',
  [`${page}/navigation_title`]: 'navigation',
  [`${page}/content_name`]: 'content name',
  [`${page}/completion_message`]: 'completed',
  [`${page}/content`]: 'content',
  [`${page}/cta/text`]: 'cta',
  [`${page}/content_blocks/0/data/list/0`]: 'in page',
  [`${page}/content_containers/0/content_blocks/1/data/heading`]: 'in container',
};

describe('all texts of a template', () => {
  test('are given with their JSON Pointers', () => {
    const found: Record<string, string> = {};
    const collect = (text: string, path: string) => {
      found[path] = text;
      return text;
    };
    expect(withTexts(everywhere(), collect, '/t')).toEqual(everywhere());
    expect(found).toEqual(texts);
    const paths: string[] = [];
    withTexts(everywhere(), (text, path) => {
      paths.push(path);
      return text;
    });
    expect(paths.toSorted()).toEqual(
      Object.keys(texts)
        .map((path) => path.slice('/t'.length))
        .toSorted(),
    );
  });

  test('are replaced, and nothing else', () => {
    const changed = withTexts(everywhere(), (text) => `<${text}>`);
    const expected = Object.values(texts).reduce(
      (json, text) => json.replaceAll(`:"${text}"`, `:"<${text}>"`).replaceAll(`["${text}"`, `["<${text}>"`),
      JSON.stringify(everywhere()),
    );
    expect(JSON.stringify(changed)).toBe(expected);
  });

  test('are none if nothing is set, and a page of a document may be only an id', () => {
    const change = (text: string) => `<${text}>`;
    const bare = shown(templateWith({})).templates[0]!;
    expect(withTexts(bare, change)).toEqual(bare);
    const named = { ...bare, template_pages: bare.template_pages.map((each) => ({ ...each, page: null as never })) };
    expect(withTexts(named, change)).toEqual(named);
  });
});

describe('the language of a template', () => {
  const translations = { es: { Saving: 'Ahorro' }, 'de-AT': { Saving: 'Sparen' } };
  const bilingual = (fields: object = {}) =>
    shown({ templates: [{ name: 'Saving', translations, ...fields }] }).templates[0]!;
  const team = (language: string | null = null) => ({ language }) as Team;
  const contact = (language?: unknown) => ({ meta_public: language === undefined ? null : { language } }) as never;
  const chosen = (template = bilingual(), own = team(), person = contact(), accepted?: string) => {
    const { template: result, language } = localized(template, own, person, accepted);
    return [language, result.name];
  };

  test.each<[why: string, expected: (string | null)[], language: unknown, accepted: string | undefined]>([
    ['is its own by default', [null, 'Saving'], undefined, undefined],
    ['is one that the browser accepts', ['es', 'Ahorro'], undefined, 'fr, es;q=0.5'],
    ['is its own if the browser accepts no other', [null, 'Saving'], undefined, 'fr'],
    ['is its own if the browser prefers it to a translation', [null, 'Saving'], undefined, 'en, es'],
    ["is the contact's before those of the browser", ['de-AT', 'Sparen'], 'de', 'es'],
    ["is the browser's if that of the contact is no text", ['es', 'Ahorro'], 7, 'es'],
    ["is the browser's if that of the contact is not available", ['es', 'Ahorro'], 'cs', 'es'],
  ])('%s', (_why, expected, language, accepted) => {
    expect(chosen(bilingual(), team(), contact(language), accepted)).toEqual(expected);
  });

  test('is the language of the template, else that of the team, and English if there is none', () => {
    expect(chosen(bilingual({ language: 'cs' }), team('fr'), contact('cs'))).toEqual(['cs', 'Saving']);
    expect(chosen(bilingual(), team('fr'), contact('fr'), 'es')).toEqual(['fr', 'Saving']);
    expect(chosen(bilingual(), team(), contact('en'), 'es')).toEqual([null, 'Saving']);
    expect(chosen(bilingual({ language: 'cs' }), team(), contact('en'), 'es')).toEqual(['es', 'Ahorro']);
  });

  test('is its own if there are no translations', () => {
    for (const without of [null, {}]) {
      expect(chosen(bilingual({ translations: without }), team('fr'), contact('es'), 'es')).toEqual(['fr', 'Saving']);
    }
  });

  test('also translates a text alone', () => {
    const { translate } = localized(bilingual(), team(), contact('es'), undefined);
    expect([translate('Saving'), translate('Other'), translate('constructor')]).toEqual([
      'Ahorro',
      'Other',
      'constructor',
    ]);
    expect(localized(bilingual(), team(), contact(), undefined).translate('Saving')).toBe('Saving');
  });
});

describe('a translation', () => {
  const template = () =>
    shown({ templates: [{ name: 'Saving', translations: { es: { Saving: 'Ahorro' } } }] }).templates[0]!;

  test('is made once for each template and language', () => {
    const given = template();
    const spanish = translated(given, 'es');
    expect(translated(given, 'es')).toBe(spanish);
    expect(translated(given, 'fr')).not.toBe(spanish);
    expect(translated(given, 'es')).toBe(spanish);
    expect(translated(template(), 'es')).not.toBe(spanish);
    expect([spanish.language, spanish.template.name, given.name]).toEqual(['es', 'Ahorro', 'Saving']);
  });

  test('into a language that has none has the same texts', () => {
    expect(translated(template(), 'fr').template).toEqual(template());
    const without = shown({ templates: [{ name: 'Saving' }] }).templates[0]!;
    expect(translated(without, 'fr').template).toEqual(without);
  });
});
