import { contentPath } from '../domain/channel-content.ts';
import { frameAncestors } from '../domain/frame-ancestors.ts';
import { journeyUrl } from '../domain/journey.ts';
import { cachedFor, pageReply } from '../http/reply.ts';
import type { ChannelContent, OfferedContent } from '../operations/show-channel-content.ts';
import { renderChannelContent, titleOf } from '../web/channel/content.ts';
import type { OfferedInput } from '../web/channel/input.ts';
import { environment } from './base.ts';

/** How long a browser may keep what is the same for everybody, in seconds. */
const defaultKept = 60;

/** @param reference by which the content was asked for */
export function contentReply({ team, channel, isForAll, offered }: ChannelContent, reference: string) {
  const page = renderChannelContent({
    channel,
    teamName: team.name,
    frameAncestors: frameAncestors(channel.frame_ancestors, environment().FRAME_ANCESTORS),
    offered: offered && inputOf(offered, channel.id, reference),
  });
  return pageReply(200, page, isForAll ? cachedFor(defaultKept) : {});
}

function inputOf(
  { journey, analytics, around, ...rest }: OfferedContent,
  channelId: string,
  reference: string,
): OfferedInput {
  const { id } = rest.shown.page;
  return {
    ...rest,
    isCompleted: analytics.pages_completed.includes(id),
    address: contentPath(channelId, reference),
    journeyUrl: journeyUrl(environment().ISSUER, journey.slug),
    around: around.map((each) => ({
      title: titleOf(each.page),
      address: contentPath(channelId, each.reference),
      isShown: each.isShown,
    })),
  };
}
