import { eventListPages } from '../../lib/domain/event-list.ts';
import { listEvents } from '../../lib/http/contracts/events.ts';
import { reply } from '../../lib/http/reply.ts';
import { validatedWith } from '../../lib/http/validation.ts';
import { cursorErrors } from '../../lib/operations/cursors.ts';
import { listEvents as list } from '../../lib/operations/events/list-events.ts';
import { environment } from '../../lib/runtime/base.ts';
import { bearerEndpoint } from '../../lib/runtime/endpoints.ts';
import { runtime } from '../../lib/runtime/table.ts';

export const handler = bearerEndpoint(listEvents, async ({ caller, validate, event }) => {
  const dependencies = { ...runtime(), eventRetentionDays: environment().EVENT_RETENTION_DAYS };
  const { query } = await validatedWith(validate, () =>
    cursorErrors(dependencies.database, caller.teamId, eventListPages, event.queryStringParameters?.cursor),
  );
  return reply(200, await list(dependencies, caller.teamId, query));
});
