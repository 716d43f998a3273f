import { blockKindOf, blockShapeOf, blockTypeName } from '../../domain/content/block-types.ts';
import { noValues } from '../../domain/placeholders.ts';
import { type ErrorDetail, pointer } from '../../domain/problem.ts';
import { longestLabel } from '../blocks/consent.ts';
import { BlockData } from '../blocks/context.ts';
import { wordsIn } from '../words/words.ts';
import { blocksOf } from './classes.ts';
import type { GivenBlock, GivenTemplate } from './given.ts';
import { comparable } from './invisible.ts';
import { memberOf, textOf } from './members.ts';

/** A signature that anybody with the link can give, because no proof of identity is asked for. @param path of the block */
export const unprovedWarnings = ({ type }: GivenBlock, path: string): ErrorDetail[] =>
  blockTypeName(type) === 'signature'
    ? [
        {
          path: `${path}/type`,
          message:
            'asks for a signature, but anybody with the link can sign in the name of the person: set `is_auth_required` of the template to true, or show a private value such as `{{birthdate}}` on the page',
        },
      ]
    : [];

/** What is missing in an agreement or a confirmation. @param path of its `data` @param language of the template */
export function consentWarnings(block: GivenBlock, path: string, language: string | null): ErrorDetail[] {
  const { type, data } = block;
  const isAgreement = blockKindOf(type) === 'agreement';
  const isUnnamed = blockTypeName(type) === 'signature' && isBlank(memberOf(data, 'signatureBoxText') ?? '');
  return [
    ...(isAgreement && !textOf(data, ['agreementText', 'body'])
      ? [{ path, message: 'has no `agreementText`: the page does not say what the person agrees to' }]
      : []),
    ...(isUnnamed
      ? [
          {
            path,
            message:
              'has no `signatureBoxText`, so no name is asked: write the label of the field, such as "Your full name", or make it a block of the type agreement',
          },
        ]
      : []),
    ...(hasEqualButtons(block, {}, language)
      ? [{ path: `${path}/disagreeText`, message: `${equal}: write what the person refuses` }]
      : []),
  ];
}

const isBlank = (value: unknown): boolean => typeof value === 'string' && value.trim() === '';

const equal = 'is also the text of the button that accepts, so people cannot tell the buttons apart';

/** Buttons that accept and decline with the same text in a translation only. @param path of the template */
export function consentTranslationWarnings(template: GivenTemplate, path: string): ErrorDetail[] {
  const blocks = blocksOf(template).filter((block) => !hasEqualButtons(block, {}, template.language));
  return Object.entries(template.translations ?? {}).flatMap(([language, given]) => {
    const texts = blocks.filter((block) => hasEqualButtons(block, given, language)).map(({ data }) => data!);
    return [...new Set(texts.map(({ disagreeText }) => disagreeText as string))].map((text) => ({
      path: `${path}/translations${pointer(Object.hasOwn(given, text) ? [language, text] : [language])}`,
      message: Object.hasOwn(given, text) ? equal : `has no other text for "${text}" than for the button that accepts`,
    }));
  });
}

type Translations = Readonly<Record<string, string>>;

/** Whether the buttons that accept and decline have the same text in the language. */
function hasEqualButtons(block: GivenBlock, translations: Translations, language: string | null): boolean {
  const kind = blockKindOf(block.type);
  if (kind !== 'agreement' && kind !== 'confirmation') return false;
  const read = new BlockData(block.data, noValues, blockShapeOf(block.type).fields);
  const textIn = (name: string) => {
    const text = read.raw(name);
    if (typeof text !== 'string' || isBlank(text)) return undefined;
    return Object.hasOwn(translations, text) ? translations[text]! : text;
  };
  const said = textIn('agreementText');
  const words = wordsIn(language).text(kind === 'agreement' ? 'agree' : 'confirm');
  const accepting = textIn('text') ?? (said !== undefined && said.length <= longestLabel ? said : words);
  const declining = textIn('disagreeText');
  return declining !== undefined && comparable(accepting) === comparable(declining);
}
