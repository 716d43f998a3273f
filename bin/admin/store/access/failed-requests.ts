import { setTimeout as wait } from 'node:timers/promises';
import type { CloudFormationClient } from '@aws-sdk/client-cloudformation';
import type { CloudWatchLogsClient } from '@aws-sdk/client-cloudwatch-logs';
import * as z from 'zod';
import { routes } from '../../../../lib/routes.ts';
import { longRequests } from '../../../../lib/store/aws/connections.ts';
import { chunksOf } from '../../../../lib/store/table/database.ts';
import { loggedRequests } from '../../../local/request-log.ts';
import { failure } from '../../failure.ts';

/** The log line of a failed request. Lines of earlier releases have no method, errors in the format of OAuth no code. */
const logLine = z.object({
  at: z.string(),
  method: z.string().optional(),
  route: z.string(),
  status: z.coerce.number(),
  code: z.string().optional(),
  requestId: z.string(),
});
export type FailedRequest = ReturnType<typeof failedRequest>;

function failedRequest(line: unknown) {
  const { at, method = null, route, status, code = null, requestId: request_id } = logLine.parse(line);
  return { at, method, route, path: routes.find(({ id }) => id === route)?.path ?? null, status, code, request_id };
}

/** `since` and `until` in milliseconds since the epoch. */
export type Wanted = { teamId: string; clientId: string; since: number; until: number };
/** Newest first; the newest ones if there are very many. */
export type FindFailedRequests = (wanted: Wanted) => Promise<FailedRequest[]>;

/** The most log groups of a query, and requests of a list. */
const limits = { groups: 50, requests: 1000 };

const newestOf = (lines: readonly unknown[]): FailedRequest[] =>
  lines
    .map(failedRequest)
    .sort((a, b) => (a.at < b.at ? 1 : -1))
    .slice(0, limits.requests);

/** In the file that the local service keeps. */
export const inFile =
  (path: string): FindFailedRequests =>
  async ({ teamId, clientId, since }) =>
    newestOf(
      loggedRequests(path).filter(
        ({ at, team_id, client_id }) => team_id === teamId && client_id === clientId && Date.parse(at) >= since,
      ),
    );

type Clients = { stacks: Pick<CloudFormationClient, 'send'>; logs: Pick<CloudWatchLogsClient, 'send'> };

/** With CloudWatch Logs Insights, in the logs of the functions to which clients send requests. */
export const inLogsOf =
  (stackName: string, clients = deployedClients, pause = () => wait(1000)): FindFailedRequests =>
  async (wanted) => {
    const { stacks, logs } = await clients();
    const found: unknown[] = [];
    for (const groups of chunksOf(await logGroupsOf(stackName, stacks), limits.groups)) {
      for (const line of await queried(logs, groups, wanted, pause)) found.push(line);
    }
    return newestOf(found);
  };

async function deployedClients(): Promise<Clients> {
  const { CloudFormationClient } = await import('@aws-sdk/client-cloudformation');
  const { CloudWatchLogsClient } = await import('@aws-sdk/client-cloudwatch-logs');
  return {
    stacks: new CloudFormationClient({ requestHandler: longRequests }),
    logs: new CloudWatchLogsClient({ requestHandler: longRequests }),
  };
}

async function logGroupsOf(StackName: string, stacks: Clients['stacks']): Promise<string[]> {
  const { ListStackResourcesCommand } = await import('@aws-sdk/client-cloudformation');
  const functions = routes.filter(({ id, access }) => access === 'bearer' || id === 'create-token');
  const names = new Set(functions.map(({ id }) => `${id.replaceAll('-', '')}Logs`));
  const groups: string[] = [];
  let NextToken: string | undefined;
  do {
    const page = await stacks.send(new ListStackResourcesCommand({ StackName, NextToken }));
    for (const { LogicalResourceId = '', PhysicalResourceId, ResourceType } of page.StackResourceSummaries ?? []) {
      // The CDK adds eight characters to the name.
      const isOne = ResourceType === 'AWS::Logs::LogGroup' && names.has(LogicalResourceId.slice(0, -8));
      if (isOne && PhysicalResourceId !== undefined) groups.push(PhysicalResourceId);
    }
    NextToken = page.NextToken;
  } while (NextToken !== undefined);
  return groups;
}

/** Polls of a query, one a second. */
const mostPolls = 120;

/** The ids are UUIDs, so that nothing can be added to the query. @throws AdminFailure `unavailable` */
async function queried(
  logs: Clients['logs'],
  logGroupNames: string[],
  { teamId, clientId, since, until }: Wanted,
  pause: () => Promise<unknown>,
): Promise<object[]> {
  const { GetQueryResultsCommand, StartQueryCommand } = await import('@aws-sdk/client-cloudwatch-logs');
  const queryString = [
    'fields @timestamp, method, route, status, code, requestId',
    `filter message = "request" and team_id = "${teamId}" and client_id = "${clientId}" and status >= 400`,
    'sort @timestamp desc',
  ].join(' | ');
  const period = { startTime: Math.floor(since / 1000), endTime: Math.ceil(until / 1000) };
  const query = new StartQueryCommand({ logGroupNames, queryString, ...period, limit: limits.requests });
  const { queryId } = await logs.send(query);
  for (let poll = 0; poll < mostPolls; poll++) {
    const { status, results = [] } = await logs.send(new GetQueryResultsCommand({ queryId }));
    if (status === 'Complete') return results.map(lineOf);
    if (status !== 'Scheduled' && status !== 'Running') break;
    await pause();
  }
  throw failure('unavailable', 'The query of the logs did not end. It is safe to try again.');
}

/** Insights has the time as `2027-01-31 12:00:00.000`. */
function lineOf(fields: readonly { field?: string | undefined; value?: string | undefined }[]): object {
  const { '@timestamp': at = '', ...line } = Object.fromEntries(fields.map(({ field = '', value }) => [field, value]));
  return { ...line, at: `${at.replace(' ', 'T')}Z` };
}
