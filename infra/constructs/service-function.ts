import { join } from 'node:path';
import { Duration, Size, Validations } from 'aws-cdk-lib';
import { PolicyDocument, type PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import {
  Architecture,
  type CfnFunction,
  Code,
  Function as LambdaFunction,
  LoggingFormat,
  RecursiveLoop,
  Runtime,
} from 'aws-cdk-lib/aws-lambda';
import type { LogGroup } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import { allow, type Deployment } from './deployment.ts';
import { maskedLogGroup } from './logs.ts';

/** Ids of subnets and security groups. */
export type Network = { subnets: readonly string[]; securityGroups: readonly string[] };

export type ServiceFunctionProps = {
  /** Directory of all bundles. The bundle of this function is in the subdirectory with the id of the construct. */
  bundles: string;
  description: string;
  /** Seconds. */
  timeout: number;
  /** Megabytes. The vCPU share grows with it. */
  memory: number;
  /** Gigabytes of temporary files; by default half of one. */
  storage?: number | undefined;
  environment: Record<string, string>;
  statements: PolicyStatement[];
  /** Sends messages to the queue that invokes it. Lambda would stop this as a loop after 16 rounds. */
  wakesItself?: boolean;
  /** Instead of that of the setting `vpc`. */
  network?: Network;
};

/** What Lambda does in a VPC with the role of the function. */
const interfaceActions = [
  ...['CreateNetworkInterface', 'DeleteNetworkInterface', 'DescribeNetworkInterfaces', 'DescribeSubnets'],
  ...['AssignPrivateIpAddresses', 'UnassignPrivateIpAddresses'],
].map((action) => `ec2:${action}`);
const whyInterfaces =
  'Lambda makes the network interfaces of a function with its role, and their ids are not known before. The condition ' +
  'denies these actions to the code of the function.';

/** A Lambda function with its own role and log group. */
export class ServiceFunction extends Construct {
  readonly lambda: LambdaFunction;
  readonly role: Role;
  readonly logGroup: LogGroup;

  constructor(scope: Construct, id: string, deployment: Deployment, props: ServiceFunctionProps) {
    super(scope, id);
    const { vpc: shared, reservedConcurrency } = deployment.settings;
    const vpc: Network | undefined = props.network ?? shared;
    const reserved = reservedConcurrency[id];
    this.logGroup = maskedLogGroup(this, 'Logs', deployment, { period: 'logs' });
    const interfaces = allow('NetworkInterfaces', interfaceActions, '*');
    interfaces.addCondition('Null', { 'lambda:SourceFunctionArn': 'true' });
    const logs = allow('Log', ['logs:CreateLogStream', 'logs:PutLogEvents'], this.logGroup.logGroupArn);
    this.role = new Role(this, 'Role', {
      assumedBy: new ServicePrincipal('lambda.amazonaws.com'),
      inlinePolicies: {
        Function: new PolicyDocument({ statements: [logs, ...(vpc ? [interfaces] : []), ...props.statements] }),
      },
    });
    if (vpc) Validations.of(this.role).acknowledge({ id: 'AwsSolutions-IAM5[Resource::*]', reason: whyInterfaces });
    this.lambda = new LambdaFunction(this, 'Function', {
      description: props.description,
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.ARM_64,
      code: Code.fromAsset(join(props.bundles, id)),
      handler: 'index.handler',
      timeout: Duration.seconds(props.timeout),
      memorySize: props.memory,
      ...(props.storage ? { ephemeralStorageSize: Size.gibibytes(props.storage) } : {}),
      environment: props.environment,
      role: this.role,
      logGroup: this.logGroup,
      loggingFormat: LoggingFormat.JSON,
      ...(props.wakesItself ? { recursiveLoop: RecursiveLoop.ALLOW } : {}),
      ...(reserved ? { reservedConcurrentExecutions: reserved } : {}),
    });
    if (vpc) {
      const { subnets: subnetIds, securityGroups: securityGroupIds } = vpc;
      (this.lambda.node.defaultChild as CfnFunction).vpcConfig = {
        subnetIds: [...subnetIds],
        securityGroupIds: [...securityGroupIds],
      };
    }
  }
}
