import * as z from 'zod';
import { contentReference } from '../../domain/channel-content.ts';
import { shownChannel } from '../../domain/content/channel.ts';
import { responses } from '../contract.ts';

const channelList = z
  .object({ engagement_channels: z.array(shownChannel).meta({ description: 'By name' }) })
  .meta({ id: 'EngagementChannelList', description: 'Engagement channels' });

export const listEngagementChannels = responses({
  200: { description: 'The engagement channels', schema: channelList },
});

export const searchContentContainers = responses({
  200: {
    description: 'The URLs of the content and of the journey',
    schema: contentReference,
  },
});
