import type { Contact } from '../../domain/contact.ts';
import type { EngagementChannel } from '../../domain/content/channel.ts';
import type { ContentContainer, TemplatePage } from '../../domain/content/page.ts';
import type { Template } from '../../domain/content/template.ts';

/** A page that the channel has something of for the contact. */
export type Neighbour = { title: string; address: string; isShown: boolean };

/** All that channel content is rendered from. */
export type ChannelContentInput = {
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
  isSeen: boolean;
  isCompleted: boolean;
  /** Where this content is, below which its actions are. */
  address: string;
  journeyUrl: string;
  around: readonly Neighbour[];
};
