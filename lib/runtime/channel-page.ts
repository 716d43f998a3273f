import { contentPath } from '../domain/channel-content.ts';
import { frameAncestors } from '../domain/frame-ancestors.ts';
import { journeyUrl } from '../domain/journey.ts';
import { cachedFor, pageReply } from '../http/reply.ts';
import type { ChannelContent, OfferedContent } from '../operations/show-channel-content.ts';
import { renderChannelContent, titleOf } from '../web/channel/content.ts';
import type { OfferedInput } from '../web/channel/input.ts';
import { type Words, wordsIn } from '../web/words/words.ts';
import { environment } from './base.ts';

/** Seconds for which a browser may cache content that is the same for all contacts. */
const defaultMaxAge = 60;

/** @param reference of the requested content URL */
export function contentReply({ team, channel, isForAll, offered }: ChannelContent, reference: string) {
  const language = offered ? offered.language : team.language;
  const page = renderChannelContent({
    language,
    channel,
    teamName: team.name,
    frameAncestors: frameAncestors(channel.frame_ancestors, environment().FRAME_ANCESTORS),
    offered: offered && inputOf(offered, channel.id, reference, wordsIn(language)),
  });
  return pageReply(200, page, isForAll ? cachedFor(defaultMaxAge) : {});
}

function inputOf(
  { journey, analytics, around, ...rest }: OfferedContent,
  channelId: string,
  reference: string,
  words: Words,
): OfferedInput {
  const { id } = rest.shown.page;
  return {
    ...rest,
    isCompleted: analytics.pages_completed.includes(id),
    address: contentPath(channelId, reference),
    journeyUrl: journeyUrl(environment().ISSUER, journey.slug),
    around: around.map((each) => ({
      title: titleOf(each.page, words),
      address: contentPath(channelId, each.reference),
      isShown: each.isShown,
    })),
  };
}
