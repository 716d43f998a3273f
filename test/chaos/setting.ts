import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { faultProxy } from '../support/fault-proxy.ts';
import { Random } from '../support/random.ts';
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

export type SettingOptions = { seed: number; teams: number; history: string };

/** A running service with proxies that inject no faults yet, and some teams. `parts` stops everything. */
export async function prepare(options: SettingOptions, parts: AsyncDisposableStack): Promise<Setting> {
  const directory = mkdtempSync(join(tmpdir(), 'onboarding-chaos-'));
  const remove = () => rmSync(directory, { recursive: true, force: true });
  parts.defer(remove);
  process.once('exit', remove);
  const history = new History(options.history);
  parts.defer(() => history.close());
  const service = await ServiceUnderTest.prepare(directory, history);
  parts.defer(() => service.stop());

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
  const dynamodb = await startProxy('dynamodb', service.dynamodbEndpoint);
  const sqs = await startProxy('sqs', service.sqsEndpoint);
  service.throughProxies(dynamodb.endpoint, sqs.endpoint);
  await service.start();

  const names = Array.from({ length: options.teams }, (_, place) => `team ${place}`);
  const credentials = await Promise.all(names.map((name) => service.newTeam(name)));
  const teams = credentials.map((credential) => new TeamApi(service.baseUrl, credential, history));
  const quiet = async () => {
    await Promise.all([dynamodb.quiet(), sqs.quiet()]);
  };
  return { service, history, plans: { dynamodb: dynamodb.plan, sqs: sqs.plan }, teams, quiet };
}
