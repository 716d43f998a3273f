import * as z from 'zod';
import { contentReference } from '../../domain/channel-content.ts';
import { metaFields } from '../../domain/contact.ts';
import { shownChannel } from '../../domain/content/channel.ts';
import { lookupFieldNames } from '../../domain/lookup.ts';
import { contract } from '../contract.ts';

const optionalText = z.string().optional();
const byField = lookupFieldNames.map((name) => {
  const description = `Contacts whose \`${name}\` has this value`;
  return [name, optionalText.meta({ description })] as const;
});
const byKey = metaFields.map((name) => {
  const description = `Contacts whose \`${name}\` has this value for the flattened key, as in \`${name}[core_id]=A-77310\`. The key \`a.b\` can be sent as \`[a][b]\``;
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
  summary: 'List engagement channels',
  description: 'Returns the places outside the service that embed content, by name.',
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
    'Send exactly one query parameter: a field of a contact, or a key of its metadata, with the value to match. Values ' +
    'must be equal. Phone numbers are normalized first. Booleans and numbers match their JSON text. If no contact ' +
    'matches, or several do, or the channel has no content for the contact, the response has the default content of ' +
    'the channel. A lookup by a field without an index reads all contacts of the team: a client that does this too ' +
    'often within a minute gets a 429.',
  // The parameters for the document. The handler checks that the request has exactly one.
  query: z.looseObject(Object.fromEntries([...byField, ...byKey])),
  responses: {
    200: {
      description: 'The URLs of the content and of the journey',
      schema: contentReference,
    },
  },
});
