import { describe } from 'vitest';
import { id, templateWith } from '../../support/samples/content-documents.ts';
import {
  block,
  container,
  inBlock,
  inChannels,
  template,
  warns,
  warnsNot,
} from '../../support/samples/content-warnings.ts';

const text = (body: string) => ({ type: 'text', data: { body } });
const page = (content_variables: object | null, ...blocks: object[]) => ({
  content_variables,
  page: { content_blocks: blocks },
});
const titled = (each: { page?: object }, index: number) =>
  each.page ? { ...each, page: { navigation_title: `Step ${index + 1}`, ...each.page } } : each;
const pages = (...template_pages: object[]) => ({ templates: [{ template_pages: template_pages.map(titled) }] });
const lasting = (journey_duration_hours: number) =>
  templateWith({ content_blocks: [text('A')] }, { journey_duration_hours });
const inContainer = { content_blocks: [text('A')] };

describe('a setting that has no effect is a warning:', () => {
  warns(
    '/templates/0',
    [
      ['a duration of nothing', 0, '/journey_duration_hours', /when it begins/],
      ['hours that are probably days', 30, '/journey_duration_hours', /write hours, such as 720 for 30 days/],
      ['a duration below nothing', -1, '/journey_duration_hours', /ends every journey when it begins/],
    ],
    lasting,
  );
  const draft = { page: { is_live: false } };
  const archived = { page: { is_archived: true } };
  warns('/templates/0', [
    ['a draft alone', templateWith({ content_block_status: 'draft' }), '/template_pages', /no page that is shown/],
    ['pages that are all hidden', pages(draft, archived), '/template_pages', /no page that is shown/],
    [
      'a variable of another page',
      pages(page({ rate: '5 %' }, text('{{rate}}')), page(null, text('{{rate}}'))),
      '/template_pages/1/page/content_blocks/0/data/body',
      /has no value/,
    ],
    [
      'content for channels of a campaign that is not live',
      container(inContainer, { status: null }),
      '/status',
      /is not "live", so no channel shows the `content_containers`/,
    ],
    [
      'content for channels that are off',
      container(inContainer, { is_cce_enabled: false }),
      '/is_cce_enabled',
      /is not true, so no channel/,
    ],
  ]);
  warns(
    '/templates/0',
    [
      ['the name of a language', { translations: { spanish: {} } }, '/translations/spanish', /not the code of a l/],
      ['the name of a language in itself', { language: 'deutsch' }, '/language', /such as en, es/],
      ['what is no language', { translations: { xyzzy: {} } }, '/translations/xyzzy', /not the code of a language/],
    ],
    template,
  );
  const like = pages(page({ rate: '5 %' }, text('{{rate}} {{rates}}')));
  warns(inBlock, [['a name like that of a variable', like, '/data/body', /did you mean `\{\{rate\}\}`/]]);
});

describe('none is a warning:', () => {
  const stored = { page_id: id(5) };
  const values = { a: 'A', b: 1, c: null, d: true, e: '' };
  warnsNot([
    ['an ending after a stored page', { templates: [{ ending: { heading: 'Done' }, template_pages: [stored] }] }],
    ['a duration of two days', lasting(48)],
    ['a campaign in the archive', { templates: [{ archived_at: '2020-01-01', template_pages: [] }] }],
    ['a draft', templateWith({ content_block_status: 'draft' }, { status: 'draft' })],
    ['a muted campaign with content for channels', container(inContainer, { is_muted: true, is_cce_enabled: false })],
    ['content for a channel of a live campaign', container(inContainer, inChannels)],
    ['one draft of two pages', pages({ page: { content_block_status: 'draft' } }, { page: {} })],
    ['a draft beside a stored page', pages({ page: { content_block_status: 'draft' } }, stored)],
    [
      'variables of texts, numbers and, on one of two pages, nothing',
      pages(page(values, text('{{a}}{{b}}{{c}}{{d}}{{e}}')), page({ c: 'C', e: 'E' })),
    ],
    ['a variable that another page uses', pages(page({ a: 'A' }), page({ a: 'A' }, text('{{a}}')))],
    ['a variable with the name of a placeholder', pages(page({ who: 'name_first' }, text('{{who}}')))],
    ['a variable of the footer', { templates: [{ template_pages: [page({ a: 'A' })], footer_content: '{{a}}' }] }],
    ['a variable of a stored page', pages({ ...stored, content_variables: { a: 'A' } })],
    ['a language and a region', template({ translations: { es: {}, 'es-MX': {} } })],
    ['a long text that is no label', block('agreement', { agreementText: 'a'.repeat(50) })],
  ]);
});
