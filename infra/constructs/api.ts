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

/** A custom domain, with the ARN of its certificate in the region of the stack. */
export type Domain = { name: string; certificate: string };

/** The HTTP API with one stage. The functions check access tokens, so no route has an authorizer. */
export class Api extends Construct {
  /** Base URL, without a slash at the end. */
  readonly url: string;
  readonly stage: HttpStage;
  readonly accessLogs: LogGroup;
  readonly #api: HttpApi;

  constructor(scope: Construct, id: string, { name, domain }: { name: string; domain?: Domain | undefined }) {
    super(scope, id);
    this.#api = new HttpApi(this, 'Http', {
      apiName: name,
      createDefaultStage: false,
      // With a second URL, clients could get tokens whose issuer is not the URL that they called.
      disableExecuteApiEndpoint: domain !== undefined,
    });
    const domainName = domain && this.#domainName(domain);
    this.url = domain ? `https://${domain.name}` : this.#api.apiEndpoint;
    this.accessLogs = new LogGroup(this, 'AccessLogs', {
      retention: RetentionDays.ONE_YEAR,
      removalPolicy: RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE,
    });
    this.stage = new HttpStage(this, 'Stage', {
      httpApi: this.#api,
      autoDeploy: true,
      throttle,
      ...(domainName ? { domainMapping: { domainName } } : {}),
      accessLogSettings: {
        destination: new LogGroupLogDestination(this.accessLogs),
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
      description: `Target for a DNS alias or CNAME record of ${name}.`,
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
    'The function checks the access token. A gateway authorizer would not know that the client is revoked, and could ' +
    'not respond 401 in the form that the contract requires.',
  public: 'Public by contract.',
};

const acknowledgeAccess = (route: IHttpRoute, access: Route['access']) =>
  Validations.of(route).acknowledge({ id: 'AwsSolutions-APIG4', reason: whyNoAuthorizer[access] });
