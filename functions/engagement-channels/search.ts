import { requestedLookup } from '../../lib/domain/contacts/lookup.ts';
import { searchContentContainers } from '../../lib/http/contracts/engagement-channels.ts';
import { idParam } from '../../lib/http/params.ts';
import { reply } from '../../lib/http/reply.ts';
import { channelContent } from '../../lib/operations/journeys/channel-content.ts';
import { environment } from '../../lib/runtime/base.ts';
import { journeyDependencies } from '../../lib/runtime/content.ts';
import { bearerEndpoint } from '../../lib/runtime/endpoints.ts';

export const handler = bearerEndpoint(searchContentContainers, async ({ caller, params, event }) => {
  // The gateway joins repeated parameters with commas. Only the raw query string shows whether a parameter is repeated.
  const lookup = requestedLookup([...new URLSearchParams(event.rawQueryString)]);
  return reply(
    200,
    await channelContent(
      { ...journeyDependencies(), scanUnits: environment().SCAN_UNITS_PER_MINUTE },
      caller,
      idParam(params, 'channel_id'),
      lookup,
    ),
  );
});
