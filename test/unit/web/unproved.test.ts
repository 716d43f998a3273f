import { expect, test } from 'vitest';
import { contentWarnings } from '../../../bin/warnings/document.ts';
import { readDocument } from '../../../lib/content/read.ts';
import { inPage } from '../../support/samples/content-documents.ts';
import { container, inBlock } from '../../support/samples/content-warnings.ts';

const block = (type: string, body = 'A') => ({
  type,
  data: { heading: body, agreementText: 'I sign.', signatureBoxText: 'Name' },
});
const page = (own: object[], rest: object = {}, fields: object = {}) =>
  container({ content_blocks: [] }, rest, { completion_condition: 'confirm', content_blocks: own, ...fields });
const inChannel = (given: object, rest: object = {}) =>
  container({ content_blocks: [given] }, rest, { completion_condition: 'confirm', content_blocks: [given] });

function placesOf(document: object): string[] {
  const value = JSON.parse(JSON.stringify(document));
  const warnings = contentWarnings(value, readDocument(value).document!);
  return warnings
    .filter(({ message }) => /anybody with the link can (?:sign|agree)/.test(message))
    .map(({ path }) => path);
}

test.each<[what: string, document: object, places: string[]]>([
  ['a signature', page([block('signature')]), [`${inBlock}/type`]],
  [
    'a signature that a channel shows too',
    inChannel(block('Signature')),
    [`${inBlock}/type`, `${inPage}/content_containers/0/content_blocks/0/type`],
  ],
  ['a signature of a campaign with a proof', page([block('signature')], { is_auth_required: true }), []],
  ['a signature of a page with private values', page([block('signature', 'Born {{birthdate}}')]), []],
  [
    'a signature after an introduction with private values',
    page([block('signature')], { content_blocks: [{ type: 'text', data: { body: '{{birthdate}}' } }] }),
    [],
  ],
  ['a signature that cannot be answered', page([block('signature')], {}, { completion_condition: null }), []],
  ['an agreement with a typed name', page([block('agreement')]), [`${inBlock}/type`]],
  ['an agreement of a campaign with a proof', page([block('Agree-Disagree')], { is_auth_required: true }), []],
  ['a survey', page([{ type: 'survey', data: { questions: ['Why?'] } }]), []],
])('without a proof of identity, %s', (_what, document, places) => {
  expect(placesOf(document)).toEqual(places);
});
