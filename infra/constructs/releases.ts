import { Duration, Stack, Validations } from 'aws-cdk-lib';
import type { IHttpStage } from 'aws-cdk-lib/aws-apigatewayv2';
import { type Alarm, MathExpression, Metric } from 'aws-cdk-lib/aws-cloudwatch';
import { CfnApplication, CfnDeploymentGroup } from 'aws-cdk-lib/aws-codedeploy';
import { PolicyDocument, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import {
  Alias,
  type CfnAlias,
  type IFunction,
  type IVersion,
  type Function as LambdaFunction,
} from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import type { Settings } from '../settings.ts';
import { allow } from './deployment.ts';
import { type Monitoring, sumOfAll } from './monitoring.ts';

/** The alias that API Gateway, event source mappings and schedules invoke. */
const liveAlias = 'live';

/** CodeDeploy throttles an account that makes more groups at the same time. */
const groupsAtOnce = 5;

/** CloudWatch allows ten metrics in the expression of an alarm. */
const metricsPerAlarm = 10;
const period = Duration.minutes(1);
const sum = { statistic: 'Sum', period };

/** Deployment configurations of CodeDeploy. */
const configurations: Record<Exclude<Settings['trafficShift'], 'all-at-once'>, string> = {
  canary: 'CodeDeployDefault.LambdaCanary10Percent5Minutes',
  linear: 'CodeDeployDefault.LambdaLinear10PercentEvery1Minute',
};

/**
 * Publishes a version of each function at each change, and shifts the traffic of its alias to this version. Except with
 * `all-at-once`, CodeDeploy shifts the traffic gradually and shifts it back if an alarm goes off.
 */
export class Releases extends Construct {
  readonly #shift: Settings['trafficShift'];
  readonly #released: { id: string; lambda: LambdaFunction; alias: Alias }[] = [];

  constructor(scope: Construct, id: string, shift: Settings['trafficShift']) {
    super(scope, id);
    this.#shift = shift;
  }

  /** The alias of the function. */
  add(id: string, lambda: LambdaFunction): IFunction {
    const alias = new Alias(lambda, 'Live', { aliasName: liveAlias, version: lambda.currentVersion as IVersion });
    this.#released.push({ id, lambda, alias });
    return alias as IFunction;
  }

  /** Call this after all functions were added. */
  shiftTraffic(stage: IHttpStage, monitoring: Monitoring): void {
    if (this.#shift === 'all-at-once') return;
    const alarms = this.#alarms(stage, monitoring);
    const application = new CfnApplication(this, 'Application', { computePlatform: 'Lambda' });
    const role = this.#role();
    const groups: CfnDeploymentGroup[] = [];
    for (const { id, alias } of this.#released) {
      // In the nested stack, because there is one for each function, and only deployments use it.
      const group = new CfnDeploymentGroup(monitoring.nested, `Shift-${id}`, {
        applicationName: application.ref,
        // A policy for updates cannot refer to a resource of another stack.
        deploymentGroupName: id,
        serviceRoleArn: role.roleArn,
        deploymentConfigName: configurations[this.#shift],
        deploymentStyle: { deploymentType: 'BLUE_GREEN', deploymentOption: 'WITH_TRAFFIC_CONTROL' },
        alarmConfiguration: { enabled: true, alarms: alarms.map(({ alarmName: name }) => ({ name })) },
        autoRollbackConfiguration: {
          enabled: true,
          events: ['DEPLOYMENT_FAILURE', 'DEPLOYMENT_STOP_ON_ALARM', 'DEPLOYMENT_STOP_ON_REQUEST'],
        },
      });
      const before = groups.at(-groupsAtOnce);
      if (before) group.addResourceDependency(before);
      groups.push(group);
      const resource = alias.node.defaultChild as CfnAlias;
      resource.addResourceDependency(group);
      resource.cfnOptions.updatePolicy = {
        codeDeployLambdaAliasUpdate: { applicationName: application.ref, deploymentGroupName: id },
      };
    }
  }

  #alarms(stage: IHttpStage, monitoring: Monitoring): Alarm[] {
    return [
      monitoring.watchReleases(stage),
      ...groupsOf(this.#released, metricsPerAlarm).map((group, index) =>
        monitoring.watchRelease(`NewVersionErrors-${index}`, {
          metric: new MathExpression({
            expression: sumOfAll,
            usingMetrics: Object.fromEntries(group.map((each, at) => [`m${at}`, errorsOfNewVersion(each)])),
            label: 'Errors of new versions',
            period,
          }),
          threshold: 1,
          section: 'NewVersionErrors',
          description:
            'The new version of a function crashed or timed out, and the deployment is rolled back. Functions: ' +
            `${group.map(({ id }) => id).join(', ')}.`,
        }),
      ),
    ];
  }

  /** The managed policy of AWS allows changes of every alias in the account. This role changes only those of the stack. */
  #role(): Role {
    const functions = this.#released.map(({ lambda }) => lambda.functionArn);
    const role = new Role(this, 'Role', {
      assumedBy: new ServicePrincipal('codedeploy.amazonaws.com', {
        conditions: { StringEquals: { 'aws:SourceAccount': Stack.of(this).account } },
      }),
      inlinePolicies: {
        Shift: new PolicyDocument({
          statements: [
            allow('Shift', ['lambda:GetAlias', 'lambda:UpdateAlias'], ...functions),
            allow('Watch', ['cloudwatch:DescribeAlarms', 'lambda:GetProvisionedConcurrencyConfig'], '*'),
          ],
        }),
      },
    });
    Validations.of(role).acknowledge({
      id: 'AwsSolutions-IAM5[Resource::*]',
      reason:
        'CodeDeploy reads the states of alarms, and settings of aliases. It changes only the aliases of the stack.',
    });
    return role;
  }
}

/** Lambda reports this metric while the alias divides its traffic between two versions. */
const errorsOfNewVersion = ({ lambda }: { lambda: LambdaFunction }): Metric =>
  new Metric({
    namespace: 'AWS/Lambda',
    metricName: 'Errors',
    dimensionsMap: {
      FunctionName: lambda.functionName,
      Resource: `${lambda.functionName}:${liveAlias}`,
      ExecutedVersion: lambda.currentVersion.version,
    },
    ...sum,
  });

export const groupsOf = <T>(values: readonly T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(values.length / size) }, (_, n) => values.slice(n * size, (n + 1) * size));
