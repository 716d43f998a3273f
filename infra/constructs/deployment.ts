import { Fn, RemovalPolicy, Stack, Token } from 'aws-cdk-lib';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import { RegionInfo } from 'aws-cdk-lib/region-info';
import type { Construct } from 'constructs';
import type { Settings } from '../settings.ts';

/** What every construct gets: the settings of the stage, and the key that encrypts what the stack stores, if any. */
export type Deployment = { settings: Settings; key: IKey | undefined };

/**
 * What happens to data and logs that the stack no longer contains. If the creation of the stack fails, they are deleted,
 * so that it can be created again.
 */
export const removalPolicyOf = (removal: 'retain' | 'destroy'): RemovalPolicy =>
  removal === 'retain' ? RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE : RemovalPolicy.DESTROY;

/** For a name that what an earlier stack left behind does not have. 36 characters. */
export const uniqueIdOf = (scope: Construct): string => Fn.select(2, Fn.split('/', Stack.of(scope).stackId));

/** The partition of the stack, and the domain of its services: as text if the region is known, which is shorter. */
export function partitionOf(scope: Construct): { name: string; domain: string } {
  const { region, partition, urlSuffix } = Stack.of(scope);
  const known = Token.isUnresolved(region) ? undefined : RegionInfo.get(region);
  return { name: known?.partition ?? partition, domain: known?.domainSuffix ?? urlSuffix };
}

export const allow = (sid: string, actions: string[], ...resources: string[]): PolicyStatement =>
  new PolicyStatement({ sid, actions, resources });
