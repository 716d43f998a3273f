import { CfnOutput, Duration, Lazy, Validations } from 'aws-cdk-lib';
import { AccessLogFormat } from 'aws-cdk-lib/aws-apigateway';
import {
  ApiMapping,
  type CfnStage,
  DomainName,
  HttpApi,
  HttpMethod,
  HttpRoute,
  type HttpRouteIntegrationBindOptions,
  type HttpRouteIntegrationConfig,
  HttpRouteKey,
  HttpStage,
  type IHttpRoute,
  type IHttpRouteAuthorizer,
  IntegrationCredentials,
  LogGroupLogDestination,
  SecurityPolicy,
} from 'aws-cdk-lib/aws-apigatewayv2';
import { HttpLambdaAuthorizer, HttpLambdaResponseType } from 'aws-cdk-lib/aws-apigatewayv2-authorizers';
import { HttpLambdaIntegration } from 'aws-cdk-lib/aws-apigatewayv2-integrations';
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager';
import { PolicyDocument, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import type { LogGroup } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import { gatewayMethods, groupOf, type Route } from '../../lib/route.ts';
import type { Settings } from '../settings.ts';
import type { Deployment } from './deployment.ts';
import { deliveredLogName, logGroup } from './logs.ts';

/** Seconds until API Gateway responds 503. This is both its maximum and its default. */
export const gatewayTimeout = 30;

/** The header in which CloudFront sends the secret of the origin. */
export const originHeader = 'x-origin-secret';

/** Logs the route, but no path, query string, IP address or user agent. */
const accessLog = {
  time: '$context.requestTimeEpoch',
  requestId: '$context.requestId',
  routeKey: '$context.routeKey',
  status: '$context.status',
  functionStatus: '$context.integration.status',
  milliseconds: '$context.responseLatency',
  functionMilliseconds: '$context.integrationLatency',
  responseBytes: '$context.responseLength',
  gatewayError: '$context.error.responseType',
};

/** With these, API Gateway responds 429 to every request. */
const none = { rateLimit: 0, burstLimit: 0 };
const closedThrottles: Settings['throttles'] = { partners: none, public: none, token: none };

const whyNoAuthorizer: Record<Route['access'], string> = {
  bearer:
    'The function checks the access token. A gateway authorizer would not know that the client is revoked, and could ' +
    'not respond 401 in the form that the contract requires.',
  public: 'Public by contract.',
};

/** The HTTP API with one stage. The functions check access tokens; an authorizer only checks the origin. */
export class Api extends Construct {
  /** Base URL, without a slash at the end. */
  readonly url: string;
  readonly stage: HttpStage;
  readonly accessLogs: LogGroup;
  readonly #api: HttpApi;
  /** The functions of all routes. */
  readonly #invokes = new PolicyStatement({ sid: 'Invoke', actions: ['lambda:InvokeFunction'] });
  readonly #role: Role;
  /** One for each function: routes that share a function share its integration. */
  readonly #integrations = new Map<IFunction, FunctionIntegration>();
  #authorizer: IHttpRouteAuthorizer | undefined;
  readonly #throttles: Settings['throttles'];
  readonly #routeSettings: Record<string, { ThrottlingRateLimit: number; ThrottlingBurstLimit: number }> = {};

  constructor(scope: Construct, id: string, deployment: Deployment) {
    super(scope, id);
    const { stackName, domain, edge, throttles, closed } = deployment.settings;
    this.#throttles = closed ? closedThrottles : throttles;
    this.#api = new HttpApi(this, 'Http', {
      apiName: stackName,
      createDefaultStage: false,
      // With a second URL, clients could get tokens whose issuer is not the URL that they called.
      disableExecuteApiEndpoint: domain !== undefined,
    });
    this.#role = new Role(this, 'Role', {
      assumedBy: new ServicePrincipal('apigateway.amazonaws.com'),
      inlinePolicies: { Invoke: new PolicyDocument({ statements: [this.#invokes] }) },
    });
    const direct = edge ? edge.directCertificate : domain?.certificate;
    const domainName = domain && direct ? this.#domainName('Domain', { ...domain, certificate: direct }) : undefined;
    this.url = domain ? `https://${domain.name}` : this.#api.apiEndpoint;
    const name = deliveredLogName(this, 'api');
    this.accessLogs = logGroup(this, 'AccessLogs', deployment, { period: 'accessLog', name });
    this.stage = new HttpStage(this, 'Stage', {
      httpApi: this.#api,
      autoDeploy: true,
      throttle: this.#throttles.partners,
      ...(domainName ? { domainMapping: { domainName } } : {}),
      accessLogSettings: {
        destination: new LogGroupLogDestination(this.accessLogs),
        format: AccessLogFormat.custom(JSON.stringify(accessLog)),
      },
    });
    if (edge) {
      const origin = this.#domainName('Origin', edge.origin);
      new ApiMapping(this, 'OriginMapping', { api: this.#api, domainName: origin, stage: this.stage });
    }
    (this.stage.node.defaultChild as CfnStage).routeSettings = Lazy.any({ produce: () => this.#routeSettings });
  }

  #domainName(id: 'Domain' | 'Origin', { name, certificate }: NonNullable<Settings['domain']>): DomainName {
    const domainName = new DomainName(this, id, {
      domainName: name,
      certificate: Certificate.fromCertificateArn(this, `${id}Certificate`, certificate),
      securityPolicy: SecurityPolicy.TLS_1_2,
    });
    const output = `${id}Target`;
    const target = new CfnOutput(this, output, {
      value: domainName.regionalDomainName,
      description: `Target for a DNS alias or CNAME record of ${name}.`,
    });
    target.overrideLogicalId(output);
    return domainName;
  }

  /**
   * Requires of every route that is added from now on that the request came through CloudFront. API Gateway rejects a
   * request without the header, and asks the function once an hour about each value of it.
   */
  checkOriginBy(lambda: IFunction): void {
    this.#invokes.addResources(lambda.functionArn);
    this.#authorizer = new HttpLambdaAuthorizer('Origin', lambda, {
      // Instead of a permission on the function, for which no route would wait.
      role: this.#role,
      authorizerName: 'origin',
      identitySource: [`$request.header.${originHeader}`],
      responseTypes: [HttpLambdaResponseType.SIMPLE],
      resultsCacheTtl: Duration.hours(1),
    });
  }

  addRoute(route: Route, lambda: IFunction): void {
    const { id, path } = route;
    const methods = gatewayMethods(route);
    const added = this.#api.addRoutes({
      path,
      methods: methods.map((method) => HttpMethod[method]),
      ...this.#target(id, lambda),
    });
    for (const [at, each] of added.entries()) this.#complete(`${methods[at]} ${path}`, each, route);
  }

  addDefaultRoute(id: string, lambda: IFunction): void {
    const target = this.#target(id, lambda);
    const route = new HttpRoute(this, 'Default', { httpApi: this.#api, routeKey: HttpRouteKey.DEFAULT, ...target });
    this.#complete('$default', route, { id, access: 'public' });
  }

  #target(id: string, lambda: IFunction) {
    const integration = this.#integrations.get(lambda) ?? new FunctionIntegration(id, lambda, this.#role);
    this.#integrations.set(lambda, integration);
    this.#invokes.addResources(lambda.functionArn);
    return { integration, ...(this.#authorizer ? { authorizer: this.#authorizer } : {}) };
  }

  /** A public route has limits of its own. All other routes have those of the partners, the default of the stage. */
  #complete(routeKey: string, route: IHttpRoute, of: Pick<Route, 'id' | 'access'>): void {
    const reason = whyNoAuthorizer[of.access];
    if (!this.#authorizer) Validations.of(route).acknowledge({ id: 'AwsSolutions-APIG4', reason });
    const group = groupOf(of);
    if (group === 'partners') return;
    const { rateLimit, burstLimit } = this.#throttles[group];
    this.#routeSettings[routeKey] = { ThrottlingRateLimit: rateLimit, ThrottlingBurstLimit: burstLimit };
    // API Gateway refuses limits for a route that does not exist yet.
    this.stage.node.addDependency(route);
  }
}

/** Invokes a function with the role of the API instead of a permission on the function, which would be a resource. */
class FunctionIntegration extends HttpLambdaIntegration {
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
