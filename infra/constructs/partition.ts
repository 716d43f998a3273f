import { Stack, Token } from 'aws-cdk-lib';
import { RegionInfo } from 'aws-cdk-lib/region-info';
import type { Construct } from 'constructs';

/** The partition of the stack, and the domain of its services: as text if the region is known, which is shorter. */
export function partitionOf(scope: Construct): { name: string; domain: string } {
  const { region, partition, urlSuffix } = Stack.of(scope);
  const known = Token.isUnresolved(region) ? undefined : RegionInfo.get(region);
  return { name: known?.partition ?? partition, domain: known?.domainSuffix ?? urlSuffix };
}
