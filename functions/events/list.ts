import { eventListPages } from '../../lib/domain/events/event-list.ts';
import { listEvents } from '../../lib/http/contracts/events.ts';
import { reply } from '../../lib/http/reply.ts';
import { listEvents as list } from '../../lib/operations/events/list-events.ts';
import { environment } from '../../lib/runtime/base.ts';
import { listEndpoint } from '../../lib/runtime/lists.ts';
import { runtime } from '../../lib/runtime/table.ts';

export const handler = listEndpoint(listEvents, eventListPages, async ({ caller, query }) => {
  const { EVENT_RETENTION_DAYS: eventRetentionDays, EVENT_EPOCH: eventEpoch } = environment();
  const dependencies = { ...runtime(), eventRetentionDays, eventEpoch };
  return reply(200, await list(dependencies, caller.teamId, query));
});
