import { describe } from 'vitest';
import { id, inPage, templateWith } from '../../support/samples/content-documents.ts';
import {
  agreement,
  block,
  button,
  container,
  inBlock,
  template,
  warns,
} from '../../support/samples/content-warnings.ts';

const survey = (question: object) => block('survey', { questions: [question] });

describe('nothing is lost without a warning:', () => {
  warns(
    `${inBlock}/data/questions/0`,
    [
      ['a scale of three numbers', { text: 'Q', scale: [1, 3, 5] }, '/scale', /lowest and the highest/],
      ['a scale that is a number', { text: 'A', scale: 5 }, '/scale', /such as \[1, 5\]/],
      ['a scale downwards', { text: 'A', scale: [5, 1] }, '/scale', /is not a scale/],
      ['a long scale', { text: 'A', scale: [0, 100] }, '/scale', /at most 11/],
      ['an option without a text', { text: 'Q', options: ['a', ''] }, '/options/1', /has no text/],
      ['options beside a scale', { text: 'A', scale: [1, 2], options: ['B'] }, '/options', /`scale` is/],
      ['options that are a text', { text: 'A', options: 'a, b' }, '/options', /list/],
      ['two options with one text', { text: 'Q', options: ['A', { text: 'A ' }] }, '/options/1', /text as option 1/],
      ['required as a text', { text: 'A', required: 'yes' }, '/required', /true or false/],
      ['a key that is no text', { text: 'A', key: 5 }, '/key', /write a text in quotes/],
      ['a question without a text', { options: ['A'] }, '', /has no text/],
    ],
    survey,
  );
  const url = { documentLinkUrl: 'https://a.example' };
  warns(`${inBlock}/data`, [
    ['a question twice', block('survey', { questions: ['A', 'A '] }), '/questions/1', /question 1/],
    ['a misspelt field', block('text', { headng: 'A' }), '/headng', /did you mean `heading`/],
    ['an object', block('text', { grid: { md: 6 } }), '/grid', /only the fields `heading`, `body` and `terms`/],
    ['a number for a text', block('text', { body: 5 }), '/body', /a text in quotes/],
    ['a file of a card', block('card', { body: 'A', file_id: id(2) }), '/file_id', /is not shown/],
    ['a button without a URL', button({ text: 'A' }), '', /opens nothing/],
    ['a button that is not shown', button({ text: 'A' }, 'view'), '', /is not shown/],
    ['a URL without a text', block('document', url), '/documentLinkUrl', /without `documentLinkText` or `name`/],
    ['an agreement to nothing', block('agreement', { heading: 'A' }), '', /no `agreementText`/],
    [
      'a signature without a label',
      block('signature', { agreementText: 'A', signatureBoxText: ' ' }),
      '',
      /no `signatureBoxText`/,
    ],
    ['an image without a description', block('image', { file_id: id(2) }), '', /no `altText`/],
    ['an image of another site', block('image', { src: 'https://a.example/a.png' }), '/src', /file put/],
    ['a class with a dot', block('text', { body: 'A', customClass: '.hero' }), '/customClass', /left out/],
    ['a class that cannot be one', block('text', { body: 'A', customClass: 'a b!' }), '/customClass', /cannot be a/],
  ]);
  const product = (type: string) => ({ completion_condition: 'open', completion_product_type: type });
  warns(
    inPage,
    [
      [
        'a field outside of data',
        { content_blocks: [{ type: 'text', body: 'A' }] },
        '/content_blocks/0/body',
        /`data`/,
      ],
      ['a product type of no product', product('Saving'), '/completion_product_type', /did you mean `savings`/],
      ['a standardized type', product('mortgage'), '/completion_product_type', /write `checking`, .* or `investment`/],
      ['a text that is an object', { content: { text: 'A' } }, '/content', /a text in quotes/],
      [
        'a call beside a block that asks',
        { completion_condition: 'confirm', content_blocks: [agreement], cta: 'A' },
        '/cta',
        /is not shown/,
      ],
      ['a call without a URL', { completion_condition: 'view', cta: 'A' }, '/cta', /no `url`/],
    ],
    templateWith,
  );
  const inContainer = '/content_containers/0';
  const confirm = { completion_condition: 'confirm' };
  warns(inPage, [
    ['a text of a page with blocks', block('text', { body: 'A' }, { content: 'B' }), '/content', /the page has blocks/],
    [
      'a container without a channel',
      container({ engagement_channel_id: null }),
      `${inContainer}/engagement_channel_id`,
      /no channel/,
    ],
    [
      'a container with the name of a channel',
      container({ engagement_channel: 'Home' }),
      `${inContainer}/engagement_channel`,
      /engagement_channel_id/,
    ],
    [
      'an agreement in a channel',
      container({ content_blocks: [agreement] }, { is_auth_required: true }, confirm),
      `${inContainer}/content_blocks/0/type`,
      /proof of identity/,
    ],
  ]);
  const [ending, footer, support] = ['/ending', '/footer_content', '/support_owner_options'];
  const links = [{ label: 'A', url: 'https://a.example' }];
  warns('/templates/0', [
    ['an ending that no page leads to', templateWith({}, { ending: { heading: 'A' } }), ending, /no page has a `compl/],
    [
      'a call of the ending',
      templateWith({ completion_condition: 'view' }, { ending: { cta: { text: 'A' } } }),
      `${ending}/cta/text`,
      /without `url`/,
    ],
    ['a template without pages', { templates: [{ name: 'A' }] }, '/template_pages', /nothing to show/],
    [
      'a field outside of the page',
      { templates: [{ template_pages: [{ cta: 'A', page: {} }] }] },
      '/template_pages/0/cta',
      /into `page`/,
    ],
  ]);
  warns(
    '/templates/0',
    [
      ['an empty translation', { name: 'A', translations: { es: { A: ' ' } } }, '/translations/es/A', /is empty/],
      ['the name of a file', { logo_file_id: 'logo.svg' }, '/logo_file_id', /not the id of a file/],
      ['a footer', { footer_content: { body: 'A' } }, `${footer}/body`, /`text` and `links`/],
      ['a link of a footer', { footer_content: { links } }, `${footer}/links/0/label`, /`text` and `url`/],
      ['a way to reach', { support_owner_options: { mail: 'a' } }, `${support}/mail`, /`email`/],
      ['a text as a way to reach', { support_owner_options: 'call' }, support, /an object with/],
      ['another name of the palette', { theme: { colors: {} } }, '/theme/colors', /`palette`/],
      ['a theme that is a text', { theme: 'evergreen' }, '/theme', /has no effect/],
      ['a dark color', { theme: { palette: { dark: { bg: '#000' } } } }, '/theme/palette/dark/bg', /`background`/],
      [
        'a size that is a number',
        { theme: { typography: { base_size: 18 } } },
        '/theme/typography/base_size',
        /"18px"/,
      ],
      [
        'a keyword as a font',
        { theme: { typography: { body: 'A, Initial' } } },
        '/theme/typography/body',
        /no keyword/,
      ],
      [
        'a title of another type',
        { journey_title_options: { custom: 'A' } },
        '/journey_title_options/custom',
        /CUSTOM/,
      ],
      ['a word that is no language', { language: 'English' }, '/language', /not the code of a language/],
    ],
    template,
  );
});
