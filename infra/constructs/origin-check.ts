import { Duration, Stack } from 'aws-cdk-lib';
import type { IHttpRouteAuthorizer } from 'aws-cdk-lib/aws-apigatewayv2';
import { HttpLambdaAuthorizer, HttpLambdaResponseType } from 'aws-cdk-lib/aws-apigatewayv2-authorizers';
import type { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import { CfnSecret } from 'aws-cdk-lib/aws-secretsmanager';
import { Construct } from 'constructs';
import { edgeRegion } from '../settings.ts';
import { allow } from './permissions.ts';

/** The header in which CloudFront sends the secret of the origin. */
export const originHeader = 'x-origin-secret';

/** A name that the stack in another region can compute, and that no stack of another region has. */
export const originSecretName = (stackName: string, region: string, secret: string): string =>
  `${stackName}/${region}/origin/${secret}`;

type OriginSecretsProps = {
  names: readonly string[];
  key: IKey | undefined;
};

/**
 * The secrets with which CloudFront proves that a request came through it. An HTTP API has no resource policy, and the
 * addresses of CloudFront serve all its customers, so a secret is the only proof.
 */
export class OriginSecrets extends Construct {
  readonly arns: string[];

  constructor(scope: Construct, id: string, { names, key }: OriginSecretsProps) {
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

  get environment(): Record<string, string> {
    return { ORIGIN_SECRETS: this.arns.join(' ') };
  }

  get statement(): PolicyStatement {
    return allow('CheckOrigin', ['secretsmanager:GetSecretValue'], ...this.arns);
  }
}

/** API Gateway rejects a request without the header, and asks the function once an hour about each value of it. */
export const originAuthorizer = (lambda: IFunction): IHttpRouteAuthorizer =>
  new HttpLambdaAuthorizer('Origin', lambda, {
    authorizerName: 'origin',
    identitySource: [`$request.header.${originHeader}`],
    responseTypes: [HttpLambdaResponseType.SIMPLE],
    resultsCacheTtl: Duration.hours(1),
  });
