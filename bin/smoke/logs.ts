import { setTimeout as sleep } from 'node:timers/promises';
import { CloudWatchLogsClient, FilterLogEventsCommand } from '@aws-sdk/client-cloudwatch-logs';
import { longRequests } from '../../lib/store/connections.ts';
import type { FunctionId } from './failure.ts';
import { partOf, type StackResource, stackResources } from './stack-resources.ts';

/** What a log says of a failure, in one line, and the action that IAM refused, without its service. */
export type LoggedReason = { text: string; denied?: string };

/**
 * Finds the reason of a failure in the log of a function.
 * @param id text that the line contains: the id of the request or of the team
 * @param since milliseconds since the epoch
 */
export type ReadLog = (functionId: FunctionId, id: string, since: number) => Promise<LoggedReason | undefined>;

/**
 * Reads the logs of a stack. They are only a help: if they cannot be read, there is no reason.
 * @param delay seconds until a line that was just written can be found
 */
export function logsOf(stackName: string, delay = 10): ReadLog {
  let resources: Promise<StackResource[]> | undefined;
  return async (functionId, id, since) => {
    try {
      resources ??= stackResources(stackName);
      return await find(partOf(await resources, functionId, 'Logs'), { id, since, delay });
    } catch {
      return undefined;
    }
  };
}

type Search = { id: string; since: number; delay: number };

async function find(logGroupName: string, { id, since, delay }: Search): Promise<LoggedReason | undefined> {
  const client = new CloudWatchLogsClient({ requestHandler: longRequests });
  const command = new FilterLogEventsCommand({ logGroupName, startTime: since, filterPattern: `"${id}"` });
  for (const end = Date.now() + delay * 1000; ; await sleep(Math.min(delay, 1) * 1000)) {
    const { events = [] } = await client.send(command);
    const reasons = events.flatMap(({ message = '' }) => reasonIn(message) ?? []);
    if (reasons.length > 0 || Date.now() >= end) return reasons.at(-1);
  }
}

type Logged = { level?: string; message?: string; error?: string; denied?: string; cause?: Logged };

/** The errors of a line, from the first cause on, with the action that IAM refused. `undefined` for other lines. */
export function reasonIn(line: string): LoggedReason | undefined {
  let logged: Logged;
  try {
    logged = JSON.parse(line);
  } catch {
    return undefined;
  }
  if (logged.level !== 'ERROR' && logged.level !== 'WARN') return undefined;
  const errors: string[] = [];
  let denied: string | undefined;
  for (let each: Logged | undefined = logged; each?.error !== undefined; each = each.cause) {
    errors.unshift(each.denied === undefined ? each.error : `${each.error} (${each.denied})`);
    denied = each.denied ?? denied;
  }
  if (errors.length === 0) return undefined;
  const text = `${logged.message}: ${errors.join(', then ')}`;
  return { text, ...(denied === undefined ? {} : { denied: denied.split(':')[1]! }) };
}
