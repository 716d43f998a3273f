import { RemovalPolicy } from 'aws-cdk-lib';

type Removal = 'retain' | 'destroy';

/** What happens to a table or a bucket that the stack no longer contains. */
export const removalPolicyOf = (removal: Removal): RemovalPolicy =>
  removal === 'retain' ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY;

/** What happens to a log. If the creation of the stack fails, its logs are deleted, so that it can be created again. */
export const logRemovalPolicyOf = (removal: Removal): RemovalPolicy =>
  removal === 'retain' ? RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE : RemovalPolicy.DESTROY;
