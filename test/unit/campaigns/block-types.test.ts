import { describe, expect, test } from 'vitest';
import {
  type BlockKind,
  blockKindOf,
  blockKinds,
  blockShapeOf,
  blockTypeName,
  blockTypes,
  question,
  unknownBlock,
} from '../../../lib/domain/campaigns/block-types.ts';
import { namesOf } from '../../../lib/domain/campaigns/shape.ts';

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
