import { expect, test } from 'vitest';
import { contentWarnings } from '../../../bin/warnings/document.ts';
import { readDocument } from '../../../lib/content/read.ts';
import { id, inPage, templateWith } from './content-documents.ts';

/**
 * The warnings of a document without errors, each with its JSON Pointer. Many have empty pages, or agreements without a
 * proof of identity, or a proof without a way to reach the institution, which are other warnings.
 */
export const warningsOf = (value: object) => {
  const { errors, document } = readDocument(JSON.parse(JSON.stringify(value)));
  expect(errors).toEqual([]);
  return contentWarnings(JSON.parse(JSON.stringify(value)), document!)
    .map(({ path, message }) => `${path} ${message}`)
    .filter((each) => !/\/content_blocks is empty, so|anybody with the link can|say how people reach you/.test(each));
};

/** A complete image of one pixel. */
export const image =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

export const inBlock = `${inPage}/content_blocks/0`;
export const block = (type: string, data: object, page: object = {}) =>
  templateWith({ completion_condition: 'confirm', content_blocks: [{ type, data }], ...page });
export const agreement = { type: 'agreement', data: { agreementText: 'I agree.' } };
export const template = (fields: object) => ({ templates: [{ ...fields, template_pages: [{ page: {} }] }] });
export const button = (data: object, condition = 'action') =>
  block('button', data, { completion_condition: condition });
/** The fields of a template that channels show. */
export const inChannels = { status: 'live', is_cce_enabled: true };
export const container = (fields: object, rest: object = {}, page: object = {}) =>
  templateWith(
    { content_containers: [{ engagement_channel_id: id(1), ...fields }], ...page },
    { ...inChannels, ...rest },
  );

type Warned = [what: string, given: unknown, path: string, message: RegExp];

/**
 * Tests that the document of what is given has one warning, with this message.
 * @param place the beginning of its JSON Pointer, before `path`
 */
export const warns = (place: string, cases: Warned[], document: (given: never) => object = (given) => given) =>
  test.each(cases)('%s', (_what, given, path, message) => {
    const pointer = `${place}${path}`;
    const found = warningsOf(document(given as never));
    expect(found.map((each) => each.slice(0, pointer.length + 1))).toEqual([`${pointer} `]);
    expect(found[0]).toMatch(message);
  });

/** Tests that none of the documents has a warning. */
export const warnsNot = (cases: [what: string, document: object][]) =>
  test.each(cases)('%s', (_what, document) => {
    expect(warningsOf(document)).toEqual([]);
  });
