import type { HttpRouteIntegrationBindOptions } from 'aws-cdk-lib/aws-apigatewayv2';
import { HttpLambdaIntegration } from 'aws-cdk-lib/aws-apigatewayv2-integrations';

/**
 * Invokes a function for all methods of one path. The permission covers every method of the path, so one is enough; the
 * base class makes one for each method, and a stack has at most 500 resources.
 */
export class FunctionIntegration extends HttpLambdaIntegration {
  #isPermitted = false;

  protected override completeBind(options: HttpRouteIntegrationBindOptions): void {
    if (this.#isPermitted) return;
    this.#isPermitted = true;
    super.completeBind(options);
  }
}
