import type { Values } from '../../domain/placeholders.ts';
import type { JourneyPageInput } from './input.ts';

/** The values of placeholders on a page of a journey. */
export function valuesOf(
  input: Pick<JourneyPageInput, 'contact' | 'account' | 'template' | 'shown' | 'journeyUrl' | 'isIdentityValidated'>,
): Values {
  const { contact, account, template, shown, journeyUrl, isIdentityValidated } = input;
  return {
    contact,
    account,
    isIdentityValidated,
    journeyUrl,
    teamName: template.team?.name,
    templateName: template.name ?? undefined,
    variables: shown.content_variables ?? {},
  };
}
