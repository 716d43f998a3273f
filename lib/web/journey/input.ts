import type { Analytics } from '../../domain/completion.ts';
import type { Contact } from '../../domain/contact.ts';
import type { TemplatePage } from '../../domain/content/page.ts';
import type { Template } from '../../domain/content/template.ts';
import type { IdentityNeed } from '../../domain/identity-need.ts';
import type { Journey } from '../../domain/journey.ts';
import type { LinkedAccount } from '../../domain/linked-account.ts';
import type { BlockAnswer } from '../../domain/response.ts';

/** All that a page of a journey is rendered from. */
export type JourneyPageInput = {
  /** Of the pages' own words, BCP 47; English where there is none, or none that we have words in. */
  language: string | null;
  journey: Journey;
  template: Template;
  /** All that is there for people, in their order: what progress is told by. */
  published: readonly TemplatePage[];
  /** Of these, the ones to choose from now. */
  pages: readonly TemplatePage[];
  /** One of them. */
  shown: TemplatePage;
  analytics: Analytics;
  /** What was answered on the pages of the journey. */
  answers: readonly BlockAnswer[];
  contact: Contact;
  /** What `account.…` stands for. */
  account: LinkedAccount | undefined;
  /** Where the journey is, for texts that name it. */
  journeyUrl: string;
  isIdentityValidated: boolean;
  /** What the person must prove to be the contact for. */
  identityNeed: IdentityNeed | undefined;
};
