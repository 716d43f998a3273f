import {
  type HttpRouteIntegrationBindOptions,
  type HttpRouteIntegrationConfig,
  IntegrationCredentials,
} from 'aws-cdk-lib/aws-apigatewayv2';
import { HttpLambdaIntegration } from 'aws-cdk-lib/aws-apigatewayv2-integrations';
import type { Role } from 'aws-cdk-lib/aws-iam';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';

/** Invokes a function with the role of the API instead of a permission on the function, which would be a resource. */
export class FunctionIntegration extends HttpLambdaIntegration {
  readonly #role: Role;

  constructor(id: string, lambda: IFunction, role: Role) {
    super(id, lambda);
    this.#role = role;
  }

  override bind(options: HttpRouteIntegrationBindOptions): HttpRouteIntegrationConfig {
    return { ...super.bind(options), credentials: IntegrationCredentials.fromRole(this.#role) };
  }

  /** The base class adds the permission here. */
  protected override completeBind(): void {}
}
