import * as z from 'zod';
import { contentReference } from '../../domain/channel-content.ts';
import { metaFields } from '../../domain/contact.ts';
import { shownChannel } from '../../domain/content/channel.ts';
import { lookupFieldNames } from '../../domain/lookup.ts';
import { contract } from '../contract.ts';

const byField = lookupFieldNames.map((name) => {
  const description = `Contacts whose \`${name}\` has this value`;
  return [name, z.string().optional().meta({ description })] as const;
});
const byKey = metaFields.map((name) => {
  const description = `Contacts whose \`${name}\` has this value under the flattened key, as in \`${name}[core_id]=A-77310\`; \`a.b\` may be written \`[a][b]\``;
  const oneKey = { minProperties: 1, maxProperties: 1, additionalProperties: { type: 'string' } };
  return [
    name,
    z
      .record(z.string(), z.string(), `needs a key, as in ${name}[key]`)
      .optional()
      .meta({ description, ...oneKey }),
  ] as const;
});

const channelList = z
  .object({ engagement_channels: z.array(shownChannel).meta({ description: 'By name' }) })
  .meta({ id: 'EngagementChannelList', description: 'Engagement channels' });

export const listEngagementChannels = contract({
  id: 'list-engagement-channels',
  scope: 'campaigns:read',
  tag: 'Engagement channels',
  summary: "The team's engagement channels",
  description: 'The places outside the service where content is embedded, by name.',
  responses: { 200: { description: 'The engagement channels', schema: channelList } },
});

export const searchContentContainers = contract({
  id: 'search-content-containers',
  scope: 'channels:read',
  furtherScopes: ({ parameters }) =>
    parameters.some((name) => /^meta_private(?:\[|$)/.test(name)) ? ['contacts:private'] : [],
  tag: 'Engagement channels',
  summary: 'Find the content of a channel for one contact',
  description:
    'Takes exactly one query parameter: a field of a contact, or a key of its metadata, and the value to match. Values ' +
    'compare exactly; phones are normalised first, booleans and numbers match their JSON text. When no contact ' +
    'matches, or several, or there is nothing for the one that does, the answer is the default content of the channel.',
  // The parameters as the document lists them. The handler holds the request to having exactly one.
  query: z.looseObject(Object.fromEntries([...byField, ...byKey])),
  responses: {
    200: {
      description: 'Where the content is',
      schema: contentReference,
    },
  },
});
