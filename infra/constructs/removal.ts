import { Fn, RemovalPolicy, Stack } from 'aws-cdk-lib';
import type { Construct } from 'constructs';

/**
 * What happens to data and logs that the stack no longer contains. If the creation of the stack fails, they are deleted,
 * so that it can be created again.
 */
export const removalPolicyOf = (removal: 'retain' | 'destroy'): RemovalPolicy =>
  removal === 'retain' ? RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE : RemovalPolicy.DESTROY;

/** For a name that what an earlier stack left behind does not have. 36 characters. */
export const uniqueIdOf = (scope: Construct): string => Fn.select(2, Fn.split('/', Stack.of(scope).stackId));

/**
 * The name of a log that a service of AWS writes. The prefix keeps it out of the resource policy of CloudWatch Logs,
 * whose size is limited for all logs of an account.
 */
export const deliveredLogName = (scope: Construct, name: string): string =>
  `/aws/vendedlogs/${Stack.of(scope).stackName}/${name}-${uniqueIdOf(scope)}`;
