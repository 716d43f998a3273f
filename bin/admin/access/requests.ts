import { loadClient } from '../../../lib/store/access/clients.ts';
import { failure } from '../failure.ts';
import type { FailedRequest } from '../store/access/failed-requests.ts';
import { tableOf } from '../text.ts';
import { required, team, verb } from '../verb.ts';

const day = 24 * 3_600_000;

export const verbs = verb({
  does: 'List the failed requests (4xx and 5xx) of a client in the last day, newest first: ids and codes only',
  help: `
They come from the log, of a stack with CloudWatch Logs Insights: at most the newest 1,000, and none of the last minute. The
log has no bodies. What is wrong with a request was in its response, and the partner finds it there by the request id.

Not in the list, because no client is known: requests with an invalid token (401), wrong credentials (see audit list), and
what API Gateway responds itself (429 above the rate, 413, 503), which has no x-request-id.`,
  parameters: { team, client: required('<client_id>', 'the credential: see client list') },
  reads: true,
  run: async ({ database, now, failedRequests }, given) => {
    const client = await loadClient(database, given.client);
    if (client?.team_id !== given.team)
      throw failure('not_found', 'the team has no credential with this id', '--client');
    const until = now();
    const wanted = { teamId: given.team, clientId: client.client_id, since: until - day, until };
    const failed = await (await failedRequests())(wanted);
    return { value: failed, text: tableOf(failed, columns, 'The client had no failed requests in the last day.') };
  },
});

const columns = {
  TIME: ({ at }: FailedRequest) => `${at.slice(0, 19)}Z`,
  METHOD: 'method',
  ROUTE: ({ path, route }: FailedRequest) => path ?? route,
  STATUS: 'status',
  CODE: 'code',
  'REQUEST ID': 'request_id',
} as const;
