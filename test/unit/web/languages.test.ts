import { describe, expect, test } from 'vitest';
import { contentDocument } from '../../../lib/domain/campaigns/document.ts';
import { linked } from '../../../lib/domain/campaigns/link.ts';
import type { BlockAnswer } from '../../../lib/domain/journeys/answer.ts';
import { renderChannelContent } from '../../../lib/web/channel/content.ts';
import type { ChannelContentInput } from '../../../lib/web/channel/input.ts';
import { renderVerification } from '../../../lib/web/email/message.ts';
import { renderEnding } from '../../../lib/web/journey/ending.ts';
import { type IdentityPageInput, renderIdentityPage } from '../../../lib/web/journey/identity.ts';
import type { JourneyPageInput } from '../../../lib/web/journey/input.ts';
import { renderJourneyPage } from '../../../lib/web/journey/page.ts';
import { type MailPage, mailPages, renderMailPage } from '../../../lib/web/mail-link.ts';
import { type NoticeName, notices, renderNotice } from '../../../lib/web/notice.ts';
import { catalogues, type Language } from '../../../lib/web/words/words.ts';
import { bank, email } from '../../support/samples/email.ts';

/** A campaign without texts, so that all words on the page come from the service. */
const types = ['agreement', 'confirm', 'survey'];
const blocks = types.map((type, at) => ({
  type,
  order: at,
  id: crypto.randomUUID(),
  data: {
    signatureBoxText: '▲',
    agreementText: '▲'.repeat(60),
    questions: [
      { text: '▲', scale: [1, 5], required: true },
      { text: '▲', required: true },
      { text: '▲', options: ['▲', '■', '●'], multiple: true, min: 1, max: 2 },
      { text: '◆', options: ['▲', '■', '●'], multiple: true, min: 2, max: 2 },
      { text: '◇', options: ['▲', '■', '●'], multiple: true, min: 2, max: 3 },
      { text: '■', type: 'date' },
      { text: '●', type: 'number' },
    ],
  },
}));
const channelId = crypto.randomUUID();
const container = { id: crypto.randomUUID(), engagement_channel_id: channelId, content_blocks: [] };
const pageOf = (completion_condition: string | null, fields: object = {}) => ({
  id: crypto.randomUUID(),
  page: { id: crypto.randomUUID(), completion_condition, content_containers: [], content_blocks: [], ...fields },
});
const conditions = ['view', 'confirm', 'action', 'confirm'];
const confirmBlock = { id: crypto.randomUUID(), type: 'confirm', data: {} };
const surveyBlock = { ...blocks[2], id: crypto.randomUUID() };
const document = contentDocument.parse({
  engagement_channels: [{ id: channelId, show_navigation: true }],
  templates: [
    {
      id: crypto.randomUUID(),
      support_owner_options: { phone: '+1 555 0100' },
      template_pages: [
        ...conditions.map((condition, at) => pageOf(condition, at === 3 ? { content_blocks: [confirmBlock] } : {})),
        pageOf('confirm', { content_blocks: blocks }),
        pageOf('view', { content_blocks: blocks, content_containers: [container] }),
        pageOf(null, { content_blocks: [surveyBlock] }),
      ].map((page, order) => ({ ...page, order })),
    },
  ],
});
const privacy = { privacy_policy_url: 'https://a.example/p', terms_of_service_url: 'https://a.example/t' };
const team = { id: crypto.randomUUID(), name: '■', ...privacy, updated_at: '' };
const content = linked(
  document as Parameters<typeof linked>[0],
  { objectives: [], engagement_channels: [], templates: [] },
  { teamId: team.id, team },
);
const template = content.templates[0]!;
const pages = template.template_pages;
const withheld = structuredClone(pages.at(-1)!);
withheld.page.content_blocks = [
  { ...withheld.page.content_blocks[0]!, type: 'text', data: { body: '{{birthdate}}' } as never },
];
const calling = structuredClone(pages[2]!);
calling.page.content_blocks = [1, 2].map((order) => ({
  ...{ ...withheld.page.content_blocks[0]!, id: crypto.randomUUID(), type: 'cta', order },
  data: { text: '▲', url: 'https://a.example/' } as never,
}));
const noticed = structuredClone(pages[2]!);
noticed.page.completion_condition = 'open';
const ids = pages.map(({ page }) => page.id);

function journeyPage(
  language: string | null,
  at: number,
  changes: Partial<JourneyPageInput> = {},
  done = [ids[0]!],
  render = renderJourneyPage,
) {
  const analytics = { pages_completed: done, is_completed: done.length >= ids.length - 1 };
  return render({
    ...{ language, template, pages, published: pages, shown: pages[at]!, answers: [], account: undefined },
    journey: { slug: 's', name: null } as JourneyPageInput['journey'],
    analytics: analytics as JourneyPageInput['analytics'],
    contact: {} as JourneyPageInput['contact'],
    ...{ journeyUrl: 'https://a.example/j/s', isIdentityValidated: false, identityNeed: undefined },
    ...changes,
  }).html;
}

const answered = (answer: BlockAnswer['answer']): Partial<JourneyPageInput> => ({
  answers: blocks.map(({ id }) => ({ id, page_id: ids[4]!, block_id: id, answer, at: '2026-01-01', typed_name: '▲' })),
});

const identityPage = (language: string | null, changes: Partial<IdentityPageInput>) =>
  renderIdentityPage({
    ...{
      language,
      template,
      teamName: '■',
      slug: 's',
      journeyUrl: 'https://a.example/j/s',
      pageId: ids[0],
      lock: undefined,
      isOptional: false,
    },
    facts: ['birthdate', 'post_code'],
    ...changes,
  }).html;

function channelContent(language: string | null) {
  const shown = pages.at(-2)!;
  const around = [1, 2].map((at) => ({ title: '▲', address: '/c/1/r', isShown: at === 1 }));
  return renderChannelContent({
    ...{ language, channel: content.engagement_channels[0]!, teamName: '■', frameAncestors: '*' },
    offered: {
      ...{ template, shown, container: shown.page.content_containers[0]!, answers: new Map(), account: undefined },
      contact: {} as JourneyPageInput['contact'],
      ...{ isCompleted: false, identityNeed: undefined, address: '/c/1/r', journeyUrl: '/j/s', around },
    } satisfies ChannelContentInput['offered'],
  }).html;
}

/** Every page of the service, in every state with its own words. */
const renderings = (language: string | null): string[] => [
  ...pages.map((_, at) => journeyPage(language, at)),
  journeyPage(language, 4, answered('accepted')),
  journeyPage(language, 4, answered('declined')),
  journeyPage(language, 4, {
    answers: answered('accepted').answers!.map((each) => ({ ...each, text: '▲', isOfOtherText: true })),
  }),
  journeyPage(language, 4, { answers: answered(null).answers!.map(({ typed_name, ...each }) => each) }),
  journeyPage(language, pages.length - 1, {}, ids),
  journeyPage(language, 0, {}, ids, renderEnding),
  journeyPage(language, 4, { answered: { ...pages[3]!, answer: undefined } }),
  journeyPage(language, 3, {}, [ids[3]!]),
  journeyPage(language, 0, {}, ids),
  journeyPage(language, 2, { shown: calling }),
  journeyPage(language, 2, { shown: noticed }),
  journeyPage(language, 0, { identityNeed: 'page' }),
  journeyPage(language, 4, { identityNeed: 'page' }),
  journeyPage(language, pages.length - 1, { identityNeed: 'page', shown: withheld }),
  journeyPage(language, 0, { identityNeed: 'page', isIdentityValidated: true }),
  journeyPage(language, 4, { identityNeed: 'page', isIdentityValidated: true, proofLeft: 1 }),
  identityPage(language, {}),
  identityPage(language, { isOptional: true, missing: [] }),
  ...(['phone_mobile', 'phone_home', 'phone_work'] as const).map((phone) =>
    identityPage(language, { facts: [phone, 'post_code'], missing: [phone, 'post_code'] }),
  ),
  identityPage(language, { missing: ['birthdate'] }),
  identityPage(language, {
    facts: ['birthdate', 'phone_home', 'post_code'],
    missing: ['birthdate', 'phone_home', 'post_code'],
    typed: { birth_day: '30', birth_month: '2', birth_year: '1990', phone: '1', post_code: '-' },
  }),
  identityPage(language, { facts: [], isOptional: true }),
  identityPage(language, { lock: { wait: null } }),
  identityPage(language, { lock: { wait: 60_000 } }),
  identityPage(language, { lock: { wait: 15 * 60_000 } }),
  identityPage(language, { lock: { wait: 24 * 3_600_000 } }),
  channelContent(language),
  journeyPage(language, 4, { refused: { fields: { block_id: blocks[2]!.id }, message: 'unsent' } }),
  journeyPage(language, 4, {
    refused: { fields: { block_id: blocks[2]!.id, 'value:■': '2026-02-30', 'value:●': '▲' }, message: 'unsent' },
  }),
  journeyPage(language, 4, {
    refused: { fields: { block_id: blocks[0]!.id, answer: 'accepted' }, message: 'unsent' },
  }),
  ...(['unsent', 'unsent_too_long', 'unsent_first'] as const).map((message) =>
    journeyPage(language, 4, { refused: { fields: {}, message } }),
  ),
  ...Object.keys(notices).map(
    (name) =>
      renderNotice(name as NoticeName, language, {
        ...(name === 'no_page' ? { sender: { team, template, journey: { slug: 's' } } } : {}),
        ...(name === 'unsent' ? { fields: { type: '▲' } } : {}),
      }).html,
  ),
  ...(Object.keys(mailPages) as MailPage[]).flatMap((page) =>
    [null, '▲'].map(
      (address) => renderMailPage(page, { language, team: { name: '■', words: null }, template, address }).html,
    ),
  ),
  ...[true, false].map(
    (is_transactional) =>
      email({
        ...{ template: { name: '▲', language }, team: { name: '■', postal_address: '▲' } },
        ...{ message: { is_transactional }, payload: { subject: '▲' }, blocks: [{ type: 'survey', data: {} }] },
      }).html,
  ),
  renderVerification({
    ...{ team: { ...bank(), name: '■', postal_address: '▲' }, template: undefined, language },
    ...{ url: 'https://bank.example/m/token', baseUrl: 'https://bank.example' },
  }).html,
];

/** The texts of a page for readers and screen readers, and the texts of its script. */
function saidIn(page: string): string {
  const plain = page.replace(/<(style|script)>.*?<\/\1>/gs, '');
  const attributes = [...plain.matchAll(/ (?:aria-label|data-unsent|data-long|data-sending|alt)="([^"]*)"/g)].map(
    ([, value]) => value,
  );
  const text = [plain.replaceAll(/<[^>]*>/g, ' '), ...attributes].join(' ');
  return text
    .replaceAll('&amp;', '&')
    .replaceAll('&#39;', "'")
    .replaceAll('&quot;', '"')
    .replaceAll(/[\u2068\u2069]/g, '');
}

/** The texts of a message between its placeholders, in every form. */
const piecesOf = (message: string | object): string[] =>
  (typeof message === 'string' ? [message] : (Object.values(message) as string[]))
    .flatMap((form) => form.split(/\{\w+\}/))
    .map((piece) => piece.trim())
    .filter((piece) => /\p{L}{2}/u.test(piece));

const holds = (text: string, piece: string): boolean =>
  new RegExp(`(?<!\\p{L})${piece.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')}(?!\\p{L})`, 'u').test(text);

const sharedWithEnglish = ['Error:', 'Confirmation', 'minutes', 'to'];

const languages = Object.keys(catalogues) as Language[];

describe.each(languages)('the pages in %s', (language) => {
  const rendered = renderings(language);
  const said = rendered.map(saidIn).join('\n');

  test('name their language and its direction', () => {
    const opening = `<html lang="${language}" dir="${language === 'ar' ? 'rtl' : 'ltr'}">`;
    expect(rendered.filter((page) => !page.includes(opening))).toEqual([]);
  });

  test('say every message of the catalogue, with its values filled in', () => {
    const unsaid = Object.entries(catalogues[language]).filter(([, message]) =>
      typeof message === 'string' ? !piecesOf(message).every((piece) => said.includes(piece)) : false,
    );
    expect(unsaid).toEqual([]);
    expect(said).not.toMatch(/[{}]|undefined/);
  });

  test('are laid out without a left or a right', () => {
    const sides = /(?:margin|padding|border)-(?:left|right)|[{;](?:left|right):|text-align:(?:left|right)/;
    expect(rendered.filter((page) => sides.test(page))).toEqual([]);
  });
});

test.each(languages.filter((each) => each !== 'en'))('the pages in %s say nothing in English', (language) => {
  const said = renderings(language).map(saidIn).join('\n');
  const english = Object.values(catalogues.en).flatMap(piecesOf);
  const left = english.filter((piece) => !sharedWithEnglish.includes(piece) && holds(said, piece));
  expect(left).toEqual([]);
});

describe('the forms of numbers and dates', () => {
  test('are those of the locale', () => {
    expect(saidIn(journeyPage('de-AT', 0))).toContain('1 von 6 Schritten');
    expect(journeyPage('de-AT', 0)).toContain('<html lang="de-AT" dir="ltr">');
    const egyptian = journeyPage('ar-EG', 4);
    expect(saidIn(egyptian)).toContain('١ من ٦ خطوات');
    expect(egyptian).toContain('<i aria-hidden="true">٥</i>');
    expect(egyptian).toContain('value="5"><span>٥</span>');
  });

  test('order the fields of a date, and its example', () => {
    const fieldsOf = (language: string) =>
      [...identityPage(language, {}).matchAll(/name="birth_(\w+)"/g)].map(([, part]) => part);
    expect(fieldsOf('en')).toEqual(['month', 'day', 'year']);
    expect(fieldsOf('cs')).toEqual(['day', 'month', 'year']);
    expect(saidIn(identityPage('en', {}))).toContain('For example 03 / 27 / 1985');
    expect(saidIn(identityPage('cs', {}))).toContain('Například 27 / 03 / 1985');
    expect(saidIn(identityPage('ar-EG', {}))).toContain('\u200f٢٧ / ٠٣ / ١٩٨٥');
    expect(identityPage('de', { missing: ['birthdate'] })).toContain('<a href="#birth_day">');
    expect(identityPage('en', { missing: ['birthdate'] })).toContain('<a href="#birth_month">');
  });
});

test.each([null, 'pl', 'zh-Hant'])('for the language %s the words are English', (language) => {
  expect(journeyPage(language, 0)).toContain('<html lang="en" dir="ltr">');
});
