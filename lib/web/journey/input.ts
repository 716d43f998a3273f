import type { Analytics } from '../../domain/completion.ts';
import type { Contact } from '../../domain/contact.ts';
import type { TemplatePage } from '../../domain/content/page.ts';
import type { Template } from '../../domain/content/template.ts';
import type { Journey } from '../../domain/journey.ts';

/** All that a page of a journey is rendered from. */
export type JourneyPageInput = {
  journey: Journey;
  template: Template;
  /** Those that the person is shown, in their order. */
  pages: readonly TemplatePage[];
  /** One of them. */
  shown: TemplatePage;
  analytics: Analytics;
  contact: Contact;
  /** Where the journey is, for texts that name it. */
  journeyUrl: string;
  isIdentityValidated: boolean;
};
