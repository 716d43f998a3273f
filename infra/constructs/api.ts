import { CfnOutput, Lazy, Validations } from 'aws-cdk-lib';
import { AccessLogFormat } from 'aws-cdk-lib/aws-apigateway';
import {
  ApiMapping,
  type CfnStage,
  DomainName,
  HttpApi,
  HttpMethod,
  HttpRoute,
  HttpRouteKey,
  HttpStage,
  type IHttpRoute,
  type IHttpRouteAuthorizer,
  LogGroupLogDestination,
  SecurityPolicy,
} from 'aws-cdk-lib/aws-apigatewayv2';
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager';
import { PolicyDocument, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import { gatewayMethods, groupOf, type Route, type RouteGroup } from '../../lib/route.ts';
import type { Settings } from '../settings.ts';
import { FunctionIntegration } from './function-integration.ts';
import { deliveredLogName, removalPolicyOf } from './removal.ts';

/** Seconds until API Gateway responds 503. This is both its maximum and its default. */
export const gatewayTimeout = 30;

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

type ApiProps = Pick<Settings, 'domain' | 'edge' | 'throttles' | 'retention' | 'removal'> & {
  name: string;
  key: IKey | undefined;
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
  #authorizer: IHttpRouteAuthorizer | undefined;
  readonly #throttles: Settings['throttles'];
  readonly #routeSettings: Record<string, { ThrottlingRateLimit: number; ThrottlingBurstLimit: number }> = {};

  constructor(scope: Construct, id: string, { name, domain, edge, throttles, retention, removal, key }: ApiProps) {
    super(scope, id);
    this.#throttles = throttles;
    this.#api = new HttpApi(this, 'Http', {
      apiName: name,
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
    this.accessLogs = new LogGroup(this, 'AccessLogs', {
      logGroupName: deliveredLogName(this, 'api'),
      retention: retention.accessLog,
      removalPolicy: removalPolicyOf(removal.logs),
      ...(key ? { encryptionKey: key } : {}),
    });
    this.stage = new HttpStage(this, 'Stage', {
      httpApi: this.#api,
      autoDeploy: true,
      throttle: throttles.partners,
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

  /** Requires of every route that is added from now on that the request came through CloudFront. */
  checkOriginBy(authorizer: IHttpRouteAuthorizer): void {
    this.#authorizer = authorizer;
  }

  addRoute(route: Route, lambda: IFunction): void {
    const { id, path, access } = route;
    const methods = gatewayMethods(route);
    const added = this.#api.addRoutes({
      path,
      methods: methods.map((method) => HttpMethod[method]),
      integration: this.#integration(id, lambda),
      ...this.#authorized,
    });
    if (!this.#authorizer) for (const each of added) acknowledgeAccess(each, access);
    for (const [at, each] of added.entries()) this.#throttle(`${methods[at]} ${path}`, each, groupOf(route));
  }

  addDefaultRoute(id: string, lambda: IFunction): void {
    const route = new HttpRoute(this, 'Default', {
      httpApi: this.#api,
      routeKey: HttpRouteKey.DEFAULT,
      integration: this.#integration(id, lambda),
      ...this.#authorized,
    });
    if (!this.#authorizer) acknowledgeAccess(route, 'public');
    this.#throttle('$default', route, 'public');
  }

  #integration(id: string, lambda: IFunction): FunctionIntegration {
    this.#invokes.addResources(lambda.functionArn);
    return new FunctionIntegration(id, lambda, this.#role);
  }

  get #authorized() {
    return this.#authorizer ? { authorizer: this.#authorizer } : {};
  }

  /**
   * Gives a route limits of its own. All other routes have those of the partners, which are the default of the stage.
   */
  #throttle(routeKey: string, route: IHttpRoute, group: RouteGroup): void {
    if (group === 'partners') return;
    const { rateLimit, burstLimit } = this.#throttles[group];
    this.#routeSettings[routeKey] = { ThrottlingRateLimit: rateLimit, ThrottlingBurstLimit: burstLimit };
    // API Gateway refuses limits for a route that does not exist yet.
    this.stage.node.addDependency(route);
  }
}

const whyNoAuthorizer: Record<Route['access'], string> = {
  bearer:
    'The function checks the access token. A gateway authorizer would not know that the client is revoked, and could ' +
    'not respond 401 in the form that the contract requires.',
  public: 'Public by contract.',
};

const acknowledgeAccess = (route: IHttpRoute, access: Route['access']) =>
  Validations.of(route).acknowledge({ id: 'AwsSolutions-APIG4', reason: whyNoAuthorizer[access] });
