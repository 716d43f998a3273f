import { blockKindOf, blockTypeName } from '../../lib/domain/content/block-types.ts';
import type { ErrorDetail } from '../../lib/domain/problem.ts';
import { type GivenBlock, textOf } from './given.ts';

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

/** What is missing in an agreement or a signature. @param path of its `data` */
export function consentWarnings({ type, data }: GivenBlock, path: string): ErrorDetail[] {
  const isUnnamed = blockTypeName(type) === 'signature' && textOf(data, ['signatureBoxText']) === undefined;
  return [
    ...(blockKindOf(type) === 'agreement' && !textOf(data, ['agreementText', 'body'])
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
  ];
}
