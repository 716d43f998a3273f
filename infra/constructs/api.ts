import { CfnOutput, RemovalPolicy, Validations } from 'aws-cdk-lib';
import { AccessLogFormat } from 'aws-cdk-lib/aws-apigateway';
import {
  DomainName,
  HttpApi,
  HttpMethod,
  HttpRoute,
  HttpRouteKey,
  HttpStage,
  type IHttpRoute,
  LogGroupLogDestination,
} from 'aws-cdk-lib/aws-apigatewayv2';
import { HttpLambdaIntegration } from 'aws-cdk-lib/aws-apigatewayv2-integrations';
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager';
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { LogGroup, RetentionDays } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import { gatewayMethods, type Route, throttle } from '../../lib/routes.ts';

/** Seconds after which the gateway answers 503: its limit and its default. */
export const gatewayTimeout = 30;

/** The route, not the path or the query string, and neither the caller's address nor its software. */
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

/** An address of the institution's own, with the ARN of its certificate (in the stack's region). */
export type Domain = { name: string; certificate: string };

/** The HTTP API with its one stage. Tokens are checked in the functions, so no route has an authorizer. */
export class Api extends Construct {
  /** Base address, without a slash at its end. */
  readonly url: string;
  readonly stage: HttpStage;
  readonly #api: HttpApi;

  constructor(scope: Construct, id: string, { name, domain }: { name: string; domain?: Domain | undefined }) {
    super(scope, id);
    this.#api = new HttpApi(this, 'Http', {
      apiName: name,
      createDefaultStage: false,
      // With a second address there would be tokens whose issuer is not the address that they came from.
      disableExecuteApiEndpoint: domain !== undefined,
    });
    const domainName = domain && this.#domainName(domain);
    this.url = domain ? `https://${domain.name}` : this.#api.apiEndpoint;
    const logGroup = new LogGroup(this, 'AccessLogs', {
      retention: RetentionDays.ONE_YEAR,
      removalPolicy: RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE,
    });
    this.stage = new HttpStage(this, 'Stage', {
      httpApi: this.#api,
      autoDeploy: true,
      throttle,
      ...(domainName ? { domainMapping: { domainName } } : {}),
      accessLogSettings: {
        destination: new LogGroupLogDestination(logGroup),
        format: AccessLogFormat.custom(JSON.stringify(accessLog)),
      },
    });
  }

  #domainName({ name, certificate }: Domain): DomainName {
    const domainName = new DomainName(this, 'Domain', {
      domainName: name,
      certificate: Certificate.fromCertificateArn(this, 'Certificate', certificate),
    });
    const target = new CfnOutput(this, 'DomainTarget', {
      value: domainName.regionalDomainName,
      description: `Where a DNS alias or CNAME record of ${name} has to point.`,
    });
    target.overrideLogicalId('DomainTarget');
    return domainName;
  }

  addRoute(route: Route, lambda: LambdaFunction): void {
    const { id, path, access } = route;
    const added = this.#api.addRoutes({
      path,
      methods: gatewayMethods(route).map((method) => HttpMethod[method]),
      integration: new HttpLambdaIntegration(id, lambda),
    });
    for (const each of added) acknowledgeAccess(each, access);
  }

  addDefaultRoute(id: string, lambda: LambdaFunction): void {
    const route = new HttpRoute(this, 'Default', {
      httpApi: this.#api,
      routeKey: HttpRouteKey.DEFAULT,
      integration: new HttpLambdaIntegration(id, lambda),
    });
    acknowledgeAccess(route, 'public');
  }
}

const whyNoAuthorizer: Record<Route['access'], string> = {
  bearer:
    'The function checks the access token: an authorizer of the gateway would not know that the client was revoked, ' +
    'nor answer 401 in the form of the contract.',
  public: 'Open to everybody by contract.',
};

const acknowledgeAccess = (route: IHttpRoute, access: Route['access']) =>
  Validations.of(route).acknowledge({ id: 'AwsSolutions-APIG4', reason: whyNoAuthorizer[access] });
