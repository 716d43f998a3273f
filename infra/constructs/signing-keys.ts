import { RemovalPolicy, Stack } from 'aws-cdk-lib';
import {
  AnyPrincipal,
  Effect,
  PolicyDocument,
  PolicyStatement,
  type Role,
  ServicePrincipal,
} from 'aws-cdk-lib/aws-iam';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { CfnResourcePolicy, CfnRotationSchedule, CfnSecret } from 'aws-cdk-lib/aws-secretsmanager';
import { Construct } from 'constructs';

/** The private keys that tokens are signed with. */
export class SigningKeys extends Construct {
  readonly arn: string;

  constructor(scope: Construct, id: string, key: IKey | undefined) {
    super(scope, id);
    // Created without a value: the first rotation runs immediately and writes the first key. A value given here would
    // overwrite the current key whenever this resource changes.
    const secret = new CfnSecret(this, 'Secret', {
      description: 'Private signing keys of the access tokens. Only the token function reads them.',
      ...(key ? { kmsKeyId: key.keyArn } : {}),
    });
    secret.applyRemovalPolicy(RemovalPolicy.DESTROY);
    this.arn = secret.ref;
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
