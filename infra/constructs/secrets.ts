import { RemovalPolicy, Stack } from 'aws-cdk-lib';
import {
  AnyPrincipal,
  Effect,
  PolicyDocument,
  PolicyStatement,
  type Role,
  ServicePrincipal,
} from 'aws-cdk-lib/aws-iam';
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { CfnResourcePolicy, CfnRotationSchedule, CfnSecret } from 'aws-cdk-lib/aws-secretsmanager';
import { Construct } from 'constructs';
import { edgeRegion } from '../settings.ts';
import { allow, type Deployment } from './deployment.ts';

/** The private keys that tokens are signed with. */
export class SigningKeys extends Construct {
  readonly arn: string;
  /** What a rotation does: it writes new versions and moves their labels. It never reads a private key. */
  readonly rotation: PolicyStatement;

  constructor(scope: Construct, id: string, { key }: Deployment) {
    super(scope, id);
    // Created without a value: the first rotation runs immediately and writes the first key. A value given here would
    // overwrite the current key whenever this resource changes.
    const secret = new CfnSecret(this, 'Secret', {
      description: 'Private signing keys of the access tokens. Only the token function reads them.',
      ...(key ? { kmsKeyId: key.keyArn } : {}),
    });
    secret.applyRemovalPolicy(RemovalPolicy.DESTROY);
    this.arn = secret.ref;
    const actions = ['DescribeSecret', 'PutSecretValue', 'UpdateSecretVersionStage'];
    const ofSecrets = actions.map((action) => `secretsmanager:${action}`);
    this.rotation = allow('Rotate', ofSecrets, this.arn);
  }

  /**
   * Denies access to the keys for every principal of the account except `reader`, administrators included. No other
   * principal needs them, and a rotation replaces a lost key. An administrator can remove the policy, and CloudTrail
   * records it.
   */
  readOnlyBy(reader: Role): void {
    const denial = new PolicyStatement({
      sid: 'OnlyTheTokenFunctionReads',
      effect: Effect.DENY,
      principals: [new AnyPrincipal()],
      actions: ['secretsmanager:GetSecretValue'],
      resources: ['*'],
      conditions: { StringNotEquals: { 'aws:PrincipalArn': reader.roleArn } },
    });
    new CfnResourcePolicy(this, 'Policy', {
      secretId: this.arn,
      resourcePolicy: new PolicyDocument({ statements: [denial] }),
      blockPublicPolicy: true,
    });
  }

  /**
   * Rotates now and every `days` days. Does not use `addRotationSchedule` of the CDK, because it allows the rotating
   * function to read the secret.
   */
  rotateBy(rotation: LambdaFunction, days: number): void {
    const permission = 'Rotation';
    rotation.addPermission(permission, {
      principal: new ServicePrincipal('secretsmanager.amazonaws.com'),
      sourceAccount: Stack.of(this).account,
    });
    const schedule = new CfnRotationSchedule(this, 'Schedule', {
      secretId: this.arn,
      rotationLambdaArn: rotation.functionArn,
      rotationRules: { automaticallyAfterDays: days },
      rotateImmediatelyOnUpdate: true,
    });
    // Without this dependency, the first rotation can start before the permission exists, and fails.
    schedule.node.addDependency(rotation.node.findChild(permission));
  }
}

/** A name that the stack in another region can compute, and that no stack of another region has. */
export const originSecretName = (stackName: string, region: string, secret: string): string =>
  `${stackName}/${region}/origin/${secret}`;

/**
 * The secrets with which CloudFront proves that a request came through it. An HTTP API has no resource policy, and the
 * addresses of CloudFront serve all its customers, so a secret is the only proof.
 */
export class OriginSecrets extends Construct {
  readonly arns: string[];

  constructor(scope: Construct, id: string, { key }: Deployment, names: readonly string[]) {
    super(scope, id);
    const { stackName, region } = Stack.of(this);
    this.arns = names.map((name) => {
      const secret = new CfnSecret(this, `Secret-${name}`, {
        name: originSecretName(stackName, region, name),
        description: 'Sent by CloudFront in a header. The API rejects requests without it.',
        generateSecretString: { passwordLength: 43, excludePunctuation: true },
        ...(key ? { kmsKeyId: key.keyArn } : {}),
        // The distribution is defined in that region.
        ...(region === edgeRegion ? {} : { replicaRegions: [{ region: edgeRegion }] }),
      });
      return secret.ref;
    });
  }
}
