import { putContent } from '../support/content.ts';
import { faultProxy } from '../support/fault-proxy.ts';
import { localTable } from '../support/local-table.ts';
import { Random } from '../support/random.ts';
import { newCredential, newTeam } from '../support/teams.ts';
import { TeamApi } from './api.ts';
import { FaultPlan, faultOf, type Part } from './faults.ts';
import { History } from './history.ts';
import { ServiceUnderTest } from './service.ts';

export type Setting = {
  service: ServiceUnderTest;
  history: History;
  plans: Record<Part, FaultPlan>;
  teams: TeamApi[];
  /** Resolves when no delayed request of a proxy remains. */
  quiet(): Promise<void>;
};

export type SettingOptions = { seed: number; teams: number; content: object; history: string };

/** A running service with proxies that inject no faults yet, and some teams. `parts` stops everything. */
export async function prepare(options: SettingOptions, parts: AsyncDisposableStack): Promise<Setting> {
  const history = new History(options.history);
  parts.defer(() => history.close());
  const service = await ServiceUnderTest.prepare(history);
  const { killable } = service;
  parts.use(killable);

  const startProxy = async (part: Part, target: string) => {
    const plan = new FaultPlan(part, new Random(options.seed, part));
    const proxy = await faultProxy(target, (request) => {
      const { operation } = request;
      const fault = plan.faultFor(operation);
      if (fault === undefined) return undefined;
      history.add({ kind: 'fault', at: history.now(), fault, part, operation });
      return faultOf(fault, part, plan, request);
    });
    parts.defer(proxy.stop);
    return { plan, ...proxy };
  };
  const dynamodb = await startProxy('dynamodb', killable.dynamodbEndpoint);
  const sqs = await startProxy('sqs', killable.sqsEndpoint);
  Object.assign(killable.environment, {
    FUNCTIONS_DYNAMODB_ENDPOINT: dynamodb.endpoint,
    FUNCTIONS_SQS_ENDPOINT: sqs.endpoint,
  });
  await service.start();

  const table = localTable(killable.local);
  const newApi = async () => {
    const team = await newTeam(table);
    await putContent(table, team, options.content);
    return new TeamApi(killable.local.base_url, team, await newCredential(table, team), history);
  };
  const teams = await Promise.all(Array.from({ length: options.teams }, newApi));
  const quiet = async () => {
    await Promise.all([dynamodb.quiet(), sqs.quiet()]);
  };
  return { service, history, plans: { dynamodb: dynamodb.plan, sqs: sqs.plan }, teams, quiet };
}
