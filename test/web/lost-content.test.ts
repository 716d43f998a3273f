import { describe } from 'vitest';
import { id, inPage, templateWith } from '../support/content-documents.ts';
import { agreement, block, button, container, inBlock, template, warns } from '../support/content-warnings.ts';

const survey = (question: object) => block('survey', { questions: [question] });

describe('nothing is lost without a warning:', () => {
  warns(inBlock, [
    [
      'a scale of three numbers',
      survey({ text: 'Q', scale: [1, 3, 5] }),
      'data/questions/0/scale',
      /lowest and the highest/,
    ],
    [
      'an option without a text',
      survey({ text: 'Q', options: ['a', ''] }),
      'data/questions/0/options/1',
      /has no text/,
    ],
    ['a misspelt field', block('text', { headng: 'A' }), 'data/headng', /did you mean `heading`/],
    ['an object', block('text', { grid: { md: 6 } }), 'data/grid', /only the fields `heading`, `body` and `terms`/],
    ['a number for a text', block('text', { body: 5 }), 'data/body', /a text in quotes/],
    ['a file of a card', block('card', { body: 'A', file_id: id(2) }), 'data/file_id', /is not shown/],
    ['a button without a URL', button({ text: 'A' }), 'data', /opens nothing/],
    ['a button that is not shown', button({ text: 'A' }, 'view'), 'data', /is not shown/],
    [
      'a URL without a text',
      block('document', { documentLinkUrl: 'https://a.example' }),
      'data/documentLinkUrl',
      /without `documentLinkText` or `name`/,
    ],
    ['a scale that is a number', survey({ text: 'A', scale: 5 }), 'data/questions/0/scale', /such as \[1, 5\]/],
    ['a scale downwards', survey({ text: 'A', scale: [5, 1] }), 'data/questions/0/scale', /is not a scale/],
    ['a long scale', survey({ text: 'A', scale: [0, 100] }), 'data/questions/0/scale', /at most 11/],
    [
      'options beside a scale',
      survey({ text: 'A', scale: [1, 2], options: ['B'] }),
      'data/questions/0/options',
      /`scale` is/,
    ],
    ['options that are a text', survey({ text: 'A', options: 'a, b' }), 'data/questions/0/options', /list/],
    ['required as a text', survey({ text: 'A', required: 'yes' }), 'data/questions/0/required', /true or false/],
    ['a question without a text', survey({ options: ['A'] }), 'data/questions/0', /has no text/],
    ['a question twice', block('survey', { questions: ['A', 'A'] }), 'data/questions/1', /question 1/],
    ['an agreement to nothing', block('agreement', {}), 'data', /no `agreementText`/],
    ['an image without a description', block('image', { file_id: id(2) }), 'data', /no `altText`/],
    ['an image of another site', block('image', { src: 'https://a.example/a.png' }), 'data/src', /file put/],
    ['a field outside of data', templateWith({ content_blocks: [{ type: 'text', body: 'A' }] }), 'body', /into `data`/],
  ]);
  warns(inPage, [
    [
      'a type of product that no product has',
      templateWith({ completion_condition: 'open', completion_product_type: 'Saving' }),
      'completion_product_type',
      /no account completes the page: did you mean `savings`/,
    ],
    [
      'a type that is a standardized type',
      templateWith({ completion_condition: 'open', completion_product_type: 'mortgage' }),
      'completion_product_type',
      /write `checking`, .* or `investment`/,
    ],
    ['a text of a page with blocks', block('text', { body: 'A' }, { content: 'B' }), 'content', /the page has blocks/],
    ['a text that is an object', templateWith({ content: { text: 'A' } }), 'content', /a text in quotes/],
    [
      'a call beside a block that asks',
      templateWith({ completion_condition: 'confirm', content_blocks: [agreement], cta: 'A' }),
      'cta',
      /is not shown/,
    ],
    ['a call without a URL', templateWith({ completion_condition: 'view', cta: 'A' }), 'cta', /no `url`/],
    [
      'a container without a channel',
      container({ engagement_channel_id: null }),
      'content_containers/0/engagement_channel_id',
      /no channel/,
    ],
    [
      'a container with the name of a channel',
      container({ engagement_channel: 'Home' }),
      'content_containers/0/engagement_channel',
      /engagement_channel_id/,
    ],
    [
      'an agreement in a channel',
      container({ content_blocks: [agreement] }, { is_auth_required: true }, { completion_condition: 'confirm' }),
      'content_containers/0/content_blocks/0/type',
      /proof of identity/,
    ],
  ]);
  warns('/templates/0', [
    [
      'an ending that no page leads to',
      templateWith({}, { ending: { heading: 'Done' } }),
      'ending',
      /no page has a `completion_condition`/,
    ],
    [
      'an empty translation',
      template({ name: 'Loan', translations: { es: { Loan: ' ' } } }),
      'translations/es/Loan',
      /is empty/,
    ],
    ['the name of a file', template({ logo_file_id: 'logo.svg' }), 'logo_file_id', /not the id of a file/],
    ['a footer', template({ footer_content: { body: 'A' } }), 'footer_content/body', /`text` and `links`/],
    [
      'a link of a footer',
      template({ footer_content: { links: [{ label: 'A', url: 'https://a.example' }] } }),
      'footer_content/links/0/label',
      /`text` and `url`/,
    ],
    ['a way to reach', template({ support_owner_options: { mail: 'a' } }), 'support_owner_options/mail', /`email`/],
    [
      'a text as a way to reach',
      template({ support_owner_options: 'call' }),
      'support_owner_options',
      /an object with/,
    ],
    [
      'a call of the ending',
      templateWith({ completion_condition: 'view' }, { ending: { cta: { text: 'A' } } }),
      'ending/cta/text',
      /without `url`/,
    ],
    ['another name of the palette', template({ theme: { colors: {} } }), 'theme/colors', /`palette`/],
    ['a theme that is a text', template({ theme: 'evergreen' }), 'theme', /has no effect/],
    [
      'a dark color',
      template({ theme: { palette: { dark: { bg: '#000' } } } }),
      'theme/palette/dark/bg',
      /`background`/,
    ],
    [
      'a size that is a number',
      template({ theme: { typography: { base_size: 18 } } }),
      'theme/typography/base_size',
      /"18px"/,
    ],
    [
      'a title of another type',
      template({ journey_title_options: { custom: 'A' } }),
      'journey_title_options/custom',
      /CUSTOM/,
    ],
    ['a template without pages', { templates: [{ name: 'A' }] }, 'template_pages', /nothing to show/],
    [
      'a field outside of the page',
      { templates: [{ template_pages: [{ cta: 'A', page: {} }] }] },
      'template_pages/0/cta',
      /into `page`/,
    ],
    ['a word that is no language', template({ language: 'English' }), 'language', /not the code of a language/],
  ]);
});
