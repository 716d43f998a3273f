import { CfnOutput, Duration, SecretValue, Stack } from 'aws-cdk-lib';
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager';
import {
  AllowedMethods,
  CachePolicy,
  Distribution,
  HttpVersion,
  OriginProtocolPolicy,
  OriginRequestPolicy,
  OriginSslPolicy,
  SecurityPolicyProtocol,
  ViewerProtocolPolicy,
} from 'aws-cdk-lib/aws-cloudfront';
import { HttpOrigin } from 'aws-cdk-lib/aws-cloudfront-origins';
import { CfnDelivery, CfnDeliveryDestination, CfnDeliverySource } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import { originHeader } from './constructs/api.ts';
import type { Deployment } from './constructs/deployment.ts';
import { encryptionKeyOf, logGroupsMayUse } from './constructs/encryption-key.ts';
import { deliveredLogName, logGroup } from './constructs/logs.ts';
import { originSecretName } from './constructs/secrets.ts';
import { WebAcl } from './constructs/web-acl.ts';
import { type EdgeSettings, edgeLogName, edgeRegion } from './settings.ts';

/** No IP address, no path (paths of pages are secret), no query string. */
const logged = [
  ...['date', 'time', 'x-edge-location', 'x-edge-request-id', 'cs-method', 'sc-status', 'sc-bytes', 'time-taken'],
  ...['x-edge-result-type', 'x-edge-detailed-result-type', 'ssl-protocol'],
];

/** API Gateway responds after 30 seconds at the latest. */
const originTimeout = Duration.seconds(35);

/**
 * CloudFront and AWS WAF in front of the API. They are a stack of their own, because CloudFront takes its certificate,
 * its web ACL and its log only from one region.
 */
export class EdgeStack extends Stack {
  constructor(scope: Construct, id: string, settings: EdgeSettings) {
    super(scope, id, {
      description: 'CloudFront and AWS WAF in front of the onboarding service.',
      env: { region: edgeRegion, ...(settings.account ? { account: settings.account } : {}) },
      tags: settings.tags,
      terminationProtection: settings.removal.data === 'retain',
    });
    const key = encryptionKeyOf(this, 'Key', {
      encryptionKey: settings.edge.encryptionKey,
      removal: settings.removal,
      services: [logGroupsMayUse(this)],
    });
    const { webAcl, requestsByAddress } = settings.edge;
    const made = webAcl === 'made' ? new WebAcl(this, 'WebAcl', { settings, key }, requestsByAddress) : undefined;
    const distribution = this.#distribution(settings, made?.arn ?? webAcl);
    this.#log(distribution, { settings, key });
    new CfnOutput(this, 'DomainTarget', {
      value: distribution.distributionDomainName,
      description: `Target for a DNS alias or CNAME record of ${settings.domain.name}.`,
    });
  }

  #distribution({ domain, edge, stackName, region }: EdgeSettings, webAclId: string): Distribution {
    const [sent = ''] = edge.originSecrets;
    const secret = SecretValue.secretsManager(originSecretName(stackName, region, sent)).unsafeUnwrap();
    return new Distribution(this, 'Distribution', {
      comment: `${stackName}: ${domain.name}`,
      domainNames: [domain.name],
      certificate: Certificate.fromCertificateArn(this, 'Certificate', domain.certificate),
      minimumProtocolVersion: SecurityPolicyProtocol.TLS_V1_2_2021,
      httpVersion: HttpVersion.HTTP2_AND_3,
      webAclId,
      defaultBehavior: {
        origin: new HttpOrigin(edge.origin.name, {
          protocolPolicy: OriginProtocolPolicy.HTTPS_ONLY,
          originSslProtocols: [OriginSslPolicy.TLS_V1_2],
          readTimeout: originTimeout,
          // A template contains only a reference to the secret.
          customHeaders: { [originHeader]: secret },
        }),
        allowedMethods: AllowedMethods.ALLOW_ALL,
        // Every response depends on a token or on the newest content.
        cachePolicy: CachePolicy.CACHING_DISABLED,
        originRequestPolicy: OriginRequestPolicy.ALL_VIEWER_EXCEPT_HOST_HEADER,
        // No redirect: a client that calls HTTP has sent its credentials already and must learn that it is wrong.
        viewerProtocolPolicy: ViewerProtocolPolicy.HTTPS_ONLY,
      },
    });
  }

  /** The standard log of CloudFront in its newer form, because only that form can leave out fields. */
  #log({ distributionArn: resourceArn }: Distribution, deployment: Deployment & { settings: EdgeSettings }): void {
    const logName = deliveredLogName(this, 'cloudfront');
    const { logGroupArn } = logGroup(this, 'AccessLog', deployment, { period: 'accessLog', name: logName });
    const name = edgeLogName(deployment.settings);
    const source = new CfnDeliverySource(this, 'AccessLogSource', { name, logType: 'ACCESS_LOGS', resourceArn });
    const destination = new CfnDeliveryDestination(this, 'AccessLogDestination', {
      name,
      destinationResourceArn: logGroupArn,
      outputFormat: 'json',
    });
    const delivery = new CfnDelivery(this, 'AccessLogDelivery', {
      deliverySourceName: name,
      deliveryDestinationArn: destination.attrArn,
      recordFields: logged,
    });
    delivery.addResourceDependency(source);
  }
}
