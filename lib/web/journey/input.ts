import type { TemplatePage } from '../../domain/campaigns/page.ts';
import type { Template } from '../../domain/campaigns/template.ts';
import type { Contact } from '../../domain/contacts/contact.ts';
import type { ShownAnswer } from '../../domain/journeys/answer.ts';
import type { Analytics } from '../../domain/journeys/completion.ts';
import type { ProofUse } from '../../domain/journeys/identity-need.ts';
import type { Journey } from '../../domain/journeys/journey.ts';
import type { LinkedAccount } from '../../domain/journeys/linked-account.ts';
import type { Team } from '../../domain/teams/team.ts';
import type { RefusedForm } from '../blocks/context.ts';

/**
 * Names the ending in the query parameter `page`. The journey's own URL leads to the ending too, once the journey is completed, if
 * it has several pages. With one page it leads to that page, which the person may want to read again.
 */
export const endingName = 'ending';

/** The input for rendering a page of a journey. */
export type JourneyPageInput = {
  /** Language of the pages' own words, as BCP 47. English if it is `null` or has no catalogue. */
  language: string | null;
  journey: Journey;
  template: Template;
  /** All pages that people can see, in order. Progress is computed from them. */
  published: readonly TemplatePage[];
  /** The pages that are listed as steps now. */
  pages: readonly TemplatePage[];
  /** The page to render, one of `pages`. */
  shown: TemplatePage;
  /** The page that the person has just answered, if another one or the ending follows it. */
  answered?: (TemplatePage & { answer: Pick<ShownAnswer, 'block_id' | 'answer'> | undefined }) | undefined;
  analytics: Analytics;
  /** The answers on the pages of the journey. */
  answers: readonly ShownAnswer[];
  contact: Contact;
  team?: Pick<Team, 'timezone' | 'words'>;
  /** The account for the placeholders `account.…`. */
  account: LinkedAccount | undefined;
  /** URL of the journey, for texts that contain it. */
  journeyUrl: string;
  isIdentityValidated: boolean;
  /** Milliseconds until the proof of identity of the browser ends, also if the page does not use it. Previews have none. */
  proofLeft?: number | undefined;
  /** What a proof of identity shows. */
  identityNeed: ProofUse | undefined;
  /** A form of the page that could not be recorded. */
  refused?: RefusedForm | undefined;
};
