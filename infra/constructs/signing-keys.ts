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

/** The private keys that tokens are signed with. */
export class SigningKeys extends Construct {
  readonly arn: string;

  constructor(scope: Construct, id: string) {
    super(scope, id);
    // Empty: the rotation that follows at once writes the first key. A value given here would be written over the
    // current key by any later change of this resource.
    const secret = new CfnSecret(this, 'Secret', {
      description: 'Private signing keys of the access tokens, read by the token function alone.',
    });
    secret.applyRemovalPolicy(RemovalPolicy.DESTROY);
    this.arn = secret.ref;
  }

  /**
   * Denies the keys to every principal of the account but `reader`, administrators included: nobody else has a use
   * for them, and a lost key is replaced by a rotation. Taking the policy away is possible and stands in CloudTrail.
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
   * Rotates now and every `days` days. Not by the library's `addRotationSchedule`, which lets the rotating function
   * read the secret.
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
    // The permission first, or the first rotation fails now and then.
    schedule.node.addDependency(rotation.node.findChild(permission));
  }
}
