import * as z from 'zod';
import { shownChannel } from '../../lib/domain/campaigns/channel.ts';
import { shownChannelOf } from '../../lib/domain/campaigns/link.ts';
import { contract } from '../../lib/http/contract.ts';
import { reply } from '../../lib/http/reply.ts';
import { contentCache } from '../../lib/runtime/content.ts';
import { bearerEndpoint } from '../../lib/runtime/endpoints.ts';

const listEngagementChannels = contract<typeof responses>()({
  id: 'list-engagement-channels',
  scope: 'campaigns:read',
  tag: 'Engagement channels',
  summary: 'List engagement channels',
  description: 'Returns the places outside the service that embed content, by name.',
});

const responses = () => {
  const channelList = z
    .object({ engagement_channels: z.array(shownChannel).describe('By name') })
    .meta({ id: 'EngagementChannelList', description: 'Engagement channels' });
  return {
    200: { description: 'The engagement channels', schema: channelList },
  };
};

export const contracts = () => [{ ...listEngagementChannels, responses: responses() }];

export const handler = bearerEndpoint(listEngagementChannels, async ({ caller }) => {
  const { engagement_channels } = await contentCache().current(caller.teamId);
  return reply(200, { engagement_channels: engagement_channels.map(shownChannelOf) });
});
