import type { Page } from '../../domain/campaigns/page.ts';
import { contentPath } from '../../domain/journeys/channel-content.ts';
import { journeyUrl } from '../../domain/journeys/journey.ts';
import { frameAncestors } from '../../domain/teams/frame-ancestors.ts';
import type { ChannelContent, OfferedContent } from '../../operations/journeys/show-channel-content.ts';
import type { JourneyService } from '../../operations/service.ts';
import type { RefusedForm } from '../../web/blocks/context.ts';
import type { OfferedInput } from '../../web/channel/input.ts';
import { wordsIn } from '../../web/words/words.ts';
import { cachedFor, pageReply } from '../reply.ts';

/** Seconds for which a browser may cache content that is the same for all contacts. */
const defaultMaxAge = 60;

export type ChannelPageService = JourneyService & {
  /** The sites that may frame every content of this installation, see `lib/domain/teams/frame-ancestors.ts`. */
  frameAncestors: string;
};

/**
 * Loads the code that renders content while the content is read.
 * @param reference of the requested content URL
 */
export async function contentReply<Status extends number = 200>(
  service: ChannelPageService,
  reading: Promise<ChannelContent>,
  reference: string,
  { status = 200 as Status, refused }: { status?: Status; refused?: RefusedForm } = {},
) {
  const [content, { renderChannelContent, titleOf }] = await Promise.all([
    reading,
    import('../../web/channel/content.ts'),
  ]);
  const { team, channel, isForAll, offered } = content;
  const language = offered ? offered.language : team.language;
  const words = wordsIn(language).with(team.words, offered?.template.words);
  const page = renderChannelContent({
    language,
    channel,
    teamName: team.name,
    timeZone: team.timezone,
    teamWords: team.words,
    frameAncestors: frameAncestors(channel.frame_ancestors, service.frameAncestors),
    offered: offered && {
      ...inputOf(service, offered, channel.id, reference, (each) => titleOf(each, words)),
      refused,
    },
  });
  return pageReply(status, page, isForAll ? cachedFor(defaultMaxAge) : {});
}

function inputOf(
  { baseUrl }: ChannelPageService,
  { journey, analytics, around, ...rest }: OfferedContent,
  channelId: string,
  reference: string,
  titleOf: (page: Page) => string,
): OfferedInput {
  const { id } = rest.shown.page;
  return {
    ...rest,
    isCompleted: analytics.pages_completed.includes(id),
    address: contentPath(channelId, reference),
    journeyUrl: journeyUrl(baseUrl, journey.slug),
    around: around.map((each) => ({
      title: titleOf(each.page),
      address: contentPath(channelId, each.reference),
      isShown: each.isShown,
    })),
  };
}
