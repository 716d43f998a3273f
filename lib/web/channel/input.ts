import type { EngagementChannel } from '../../domain/campaigns/channel.ts';
import type { ContentContainer, TemplatePage } from '../../domain/campaigns/page.ts';
import type { Template } from '../../domain/campaigns/template.ts';
import type { OwnWords } from '../../domain/campaigns/values.ts';
import type { Contact } from '../../domain/contacts/contact.ts';
import type { ShownAnswer } from '../../domain/journeys/answer.ts';
import type { IdentityNeed } from '../../domain/journeys/identity-need.ts';
import type { LinkedAccount } from '../../domain/journeys/linked-account.ts';
import type { RefusedForm } from '../blocks/context.ts';

/** A page of the contact that has content for the channel. */
export type Neighbour = { title: string; address: string; isShown: boolean };

/** The input for rendering channel content. */
export type ChannelContentInput = {
  /** Language of the content's own words, as BCP 47. English if it is `null` or has no catalogue. */
  language: string | null;
  channel: EngagementChannel;
  teamName: string;
  /** That of the team, for contacts without one. */
  timeZone?: string | null;
  teamWords?: OwnWords | null;
  /** The sites that may show the content in a frame, in the syntax of CSP. */
  frameAncestors: string;
  /** Undefined if the channel's default content is shown. */
  offered: OfferedInput | undefined;
};

export type OfferedInput = {
  template: Template;
  shown: TemplatePage;
  container: ContentContainer;
  contact: Contact;
  /** The account for the placeholders `account.…`. */
  account: LinkedAccount | undefined;
  isCompleted: boolean;
  /** The latest answer to each block of the page. */
  answers: ReadonlyMap<string, ShownAnswer>;
  /** What needs a proof of identity. If set, the content offers no action that needs one. */
  identityNeed: IdentityNeed | undefined;
  /** URL of this content. The URLs of its actions begin with it. */
  address: string;
  journeyUrl: string;
  around: readonly Neighbour[];
  /** A form of the content that could not be recorded. */
  refused?: RefusedForm | undefined;
};
