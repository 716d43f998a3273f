import { describe, expect, test } from 'vitest';
import { endingCall, footer, pageCall, support, theme } from '../../../bin/content/open-fields.ts';
import {
  type BlockKind,
  blockKindOf,
  blockKinds,
  blockShapeOf,
  blockTypeName,
  blockTypes,
  option,
  question,
  unknownBlock,
} from '../../../lib/domain/campaigns/block-types.ts';
import { namesOf, type ObjectShape, type Shape } from '../../../lib/domain/campaigns/shape.ts';

describe('the type of a block', () => {
  const types: Record<BlockKind, string[]> = {
    heading: ['heading'],
    text: ['text', 'paragraph'],
    card: ['card'],
    image: ['image'],
    divider: ['divider'],
    call: ['button', 'cta', 'call_to_action'],
    document: ['document_link', 'document', 'direct_deposit'],
    agreement: ['agreement', 'agree_disagree', 'signature'],
    confirmation: ['confirm', 'confirmation'],
    survey: ['survey'],
  };

  test('names a kind of block', () => {
    const kinds = Object.entries(types).flatMap(([kind, names]) => names.map((name) => [name, kind]));
    expect(blockTypes.map((type) => [type, blockKindOf(type)])).toEqual(kinds);
    for (const [type, kind] of kinds) expect(blockShapeOf(type!)).toBe(blockKinds[kind as BlockKind]);
  });

  test.each([
    ['Call to Action', 'call_to_action'],
    ['CALL-TO - ACTION', 'call_to_action'],
    ['text', 'text'],
    [null, 'text'],
    ['', ''],
  ])('%j is compared as %j', (type, name) => {
    expect(blockTypeName(type)).toBe(name);
  });

  test('is a text if it is not set, and may be unknown', () => {
    expect([blockKindOf(null), blockKindOf('Carousel')]).toEqual(['text', undefined]);
    expect(blockShapeOf('Carousel')).toBe(unknownBlock);
  });

  test('unknown, shows the texts that most blocks have', () => {
    expect(Object.keys(unknownBlock.fields)).toEqual(
      'name customClass heading body text content agreementText signatureBoxText documentLinkText'.split(' '),
    );
  });
});

describe('the declarations of fields', () => {
  test('have other names, in the order in which they are read', () => {
    expect(namesOf(question.fields, 'text')).toEqual(['text', 'question', 'label', 'heading']);
    expect(namesOf(question.fields, 'options')).toEqual(['options', 'choices', 'answers']);
    expect(namesOf(question.fields, 'key')).toEqual(['key', 'id']);
    expect(namesOf(blockKinds.text.fields, 'body')).toEqual(['body', 'text', 'content']);
    expect(namesOf(blockKinds.call.fields, 'url')).toEqual(['url', 'href', 'link']);
    expect(namesOf(blockKinds.call.fields, 'customClass')).toEqual(['customClass']);
    expect(namesOf(blockKinds.call.fields, 'other')).toEqual(['other']);
  });
});

const isSentence = (text: string) => /^(?:[A-Z]|A `).{3,}/.test(text);

/** What is wrong in a declaration of fields: an empty description, a name that is used twice, or no name of a field. */
function objectErrors({ named, fields }: ObjectShape, path: string): string[] {
  const errors = /^(?:an? |the |typography$)/.test(named) ? [] : [`${path} has no name`];
  const names = Object.keys(fields);
  if (names.length === 0) errors.push(`${path} has no fields`);
  const written = names.flatMap((name) => namesOf(fields, name));
  if (new Set(written).size !== written.length) errors.push(`${path} has a name twice`);
  for (const name of written) if (!/^\w+$/.test(name)) errors.push(`${path} has a field "${name}"`);
  for (const [name, { shape, description, needs = [], unless }] of Object.entries(fields)) {
    const others = unless === undefined ? needs : [...needs, unless];
    if (!isSentence(description)) errors.push(`${path}/${name} is not described`);
    if (!others.every((each) => names.includes(each))) errors.push(`${path}/${name} depends on what is no field`);
    errors.push(...shapeErrors(shape, `${path}/${name}`));
  }
  return errors;
}

function shapeErrors(shape: Shape, path: string): string[] {
  if (shape.is === 'list') return shapeErrors(shape.of, `${path}[]`);
  if (shape.is === 'object') return objectErrors(shape.of, path);
  if (shape.is === 'either') return [...shapeErrors(shape.text, path), ...objectErrors(shape.object, path)];
  return [];
}

const objects = { endingCall, support, theme, ...blockKinds, option, question, unknownBlock };
test.each(Object.entries(objects))('the declarations of fields have no error: %s', (name, shape) => {
  expect(objectErrors(shape, name)).toEqual([]);
});

test.each(Object.entries({ footer, pageCall }))('the declarations of fields have no error: %s', (name, shape) => {
  expect(shapeErrors(shape, name)).toEqual([]);
});
