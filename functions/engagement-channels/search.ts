import * as z from 'zod';
import { metaFields } from '../../lib/domain/contacts/contact.ts';
import { lookupFieldNames, requestedLookup } from '../../lib/domain/contacts/lookup.ts';
import { contentReference } from '../../lib/domain/journeys/channel-content.ts';
import { contract } from '../../lib/http/contract.ts';
import { idParam } from '../../lib/http/params.ts';
import { reply } from '../../lib/http/reply.ts';
import { channelContent } from '../../lib/operations/journeys/channel-content.ts';
import { journeyService } from '../../lib/runtime/content.ts';
import { bearerEndpoint } from '../../lib/runtime/endpoints.ts';

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

const searchContentContainers = contract<typeof responses>()({
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

const responses = () => ({
  200: {
    description: 'The URLs of the content and of the journey',
    schema: contentReference,
  },
});

export const contracts = () => [{ ...searchContentContainers, responses: responses() }];

export const handler = bearerEndpoint(searchContentContainers, async ({ caller, params, event }) => {
  // The gateway joins repeated parameters with commas. Only the raw query string shows whether a parameter is repeated.
  const lookup = requestedLookup([...new URLSearchParams(event.rawQueryString)]);
  return reply(200, await channelContent(journeyService(), caller, idParam(params, 'channel_id'), lookup));
});
