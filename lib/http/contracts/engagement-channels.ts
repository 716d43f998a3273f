import * as z from 'zod';
import { metaFields } from '../../domain/contacts/contact.ts';
import { lookupFieldNames } from '../../domain/contacts/lookup.ts';
import { contract } from '../contract.ts';
import type * as responses from '../responses/campaigns.ts';

const optionalText = z.string().optional();
const byField = lookupFieldNames.map((name) => {
  const description = `Contacts whose \`${name}\` has this value`;
  return [name, optionalText.describe(description)] as const;
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

export const listEngagementChannels = contract<typeof responses.listEngagementChannels>()({
  id: 'list-engagement-channels',
  scope: 'campaigns:read',
  tag: 'Engagement channels',
  summary: 'List engagement channels',
  description: 'Returns the places outside the service that embed content, by name.',
});

export const searchContentContainers = contract<typeof responses.searchContentContainers>()({
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
});
