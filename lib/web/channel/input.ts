import type { Contact } from '../../domain/contact.ts';
import type { EngagementChannel } from '../../domain/content/channel.ts';
import type { ContentContainer, TemplatePage } from '../../domain/content/page.ts';
import type { Template } from '../../domain/content/template.ts';
import type { IdentityNeed } from '../../domain/identity-need.ts';
import type { LinkedAccount } from '../../domain/linked-account.ts';
import type { BlockAnswer } from '../../domain/response.ts';

/** A page that the channel has something of for the contact. */
export type Neighbour = { title: string; address: string; isShown: boolean };

/** All that channel content is rendered from. */
export type ChannelContentInput = {
  /** Of the content's own words, BCP 47; English where there is none, or none that we have words in. */
  language: string | null;
  channel: EngagementChannel;
  teamName: string;
  /** Which sites may show it in a frame, as CSP says it. */
  frameAncestors: string;
  /** Nothing where the channel's default content is shown. */
  offered: OfferedInput | undefined;
};

export type OfferedInput = {
  template: Template;
  shown: TemplatePage;
  container: ContentContainer;
  contact: Contact;
  /** What `account.…` stands for. */
  account: LinkedAccount | undefined;
  isCompleted: boolean;
  /** The latest answer to each block of the page. */
  answers: ReadonlyMap<string, BlockAnswer>;
  /** What would have to be proved for what the content withholds: nothing is done here then that asks for a proof. */
  identityNeed: IdentityNeed | undefined;
  /** Where this content is, below which its actions are. */
  address: string;
  journeyUrl: string;
  around: readonly Neighbour[];
};
