import type { Values } from '../../domain/journeys/placeholders.ts';
import type { Direction } from '../../domain/values/direction.ts';
import { wordsIn } from '../words/words.ts';
import type { JourneyPageInput } from './input.ts';

/** The values of placeholders on a page of a journey. @param direction of the page */
export function valuesOf(
  input: Pick<JourneyPageInput, 'contact' | 'account' | 'template' | 'shown' | 'journeyUrl' | 'isIdentityValidated'>,
  direction?: Direction,
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
    direction,
  };
}

/** The words of a page of a journey, of which the team and the template can replace some. */
export const wordsFor = ({ language, contact, team, template }: JourneyPageInput) =>
  wordsIn(language, contact.timezone, team?.timezone).with(team?.words, template.words);
