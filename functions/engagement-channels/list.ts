import { shownChannelOf } from '../../lib/domain/campaigns/link.ts';
import { listEngagementChannels } from '../../lib/http/contracts/engagement-channels.ts';
import { reply } from '../../lib/http/reply.ts';
import { contentCache } from '../../lib/runtime/content.ts';
import { bearerEndpoint } from '../../lib/runtime/endpoints.ts';

export const handler = bearerEndpoint(listEngagementChannels, async ({ caller }) => {
  const { engagement_channels } = await contentCache().current(caller.teamId);
  return reply(200, { engagement_channels: engagement_channels.map(shownChannelOf) });
});
