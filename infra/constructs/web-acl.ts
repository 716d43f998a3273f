import { ArnFormat, Stack } from 'aws-cdk-lib';
import { CfnLoggingConfiguration, CfnWebACL } from 'aws-cdk-lib/aws-wafv2';
import { Construct } from 'constructs';
import type { Settings } from '../settings.ts';
import { type Deployment, uniqueIdOf } from './deployment.ts';
import { maskedLogGroup } from './logs.ts';

type Statement = CfnWebACL.StatementProperty;
type Rule = CfnWebACL.RuleProperty;
type Limits = NonNullable<Settings['edge']>['requestsByAddress'];

/**
 * Rules that only count. Clients need not send a user agent. Query strings contain cursors, which can be longer than
 * 2,048 bytes. The rule about the size of bodies allows 8 KB; `BodyOfPublic` and `BodyOfPartners` replace it.
 */
const countedForPublic = ['NoUserAgent_HEADER', 'SizeRestrictions_QUERYSTRING', 'SizeRestrictions_BODY'];

/**
 * Partners send data of customers and choose the ids of batches, in any text. A rule that looks for code in such text
 * would reject a record of a nightly file again and again. They have a token, and the service checks every field.
 */
const countedForPartners = [
  ...countedForPublic,
  ...['CrossSiteScripting', 'EC2MetaDataSSRF', 'GenericLFI', 'GenericRFI'].flatMap((rule) => [
    `${rule}_BODY`,
    `${rule}_QUERYARGUMENTS`,
  ]),
  'RestrictedExtensions_QUERYARGUMENTS',
  'RestrictedExtensions_URIPATH',
];

/** Largest body of a public route, in bytes. It is also how much of a body AWS WAF inspects. */
const publicBodyBytes = 16 * 1024;

/**
 * A `Content-Length` of five million bytes or more. The service itself rejects bodies of more than 4 MB with its own
 * error. AWS WAF cannot measure a body that is longer than what it inspects.
 */
const tooLong = '^([5-9][0-9]{6}|[0-9]{8,})$';

const none = [{ priority: 0, type: 'NONE' }];
const all = (...statements: Statement[]): Statement => ({ andStatement: { statements } });
const not = (statement: Statement): Statement => ({ notStatement: { statement } });
const toPartners: Statement = {
  byteMatchStatement: {
    fieldToMatch: { uriPath: {} },
    positionalConstraint: 'STARTS_WITH',
    searchString: '/v1/',
    textTransformations: none,
  },
};
const toPublic = not(toPartners);

/** No samples, because they would show the headers of requests, access tokens included. */
const metrics = (metricName: string): CfnWebACL.VisibilityConfigProperty => ({
  cloudWatchMetricsEnabled: true,
  metricName,
  sampledRequestsEnabled: false,
});

/** A body of more bytes than are inspected counts as too large. */
const longBody: Statement = {
  sizeConstraintStatement: {
    fieldToMatch: { body: { oversizeHandling: 'MATCH' } },
    comparisonOperator: 'GT',
    size: publicBodyBytes,
    textTransformations: none,
  },
};
const longContent: Statement = {
  regexMatchStatement: {
    fieldToMatch: { singleHeader: { Name: 'content-length' } },
    regexString: tooLong,
    textTransformations: none,
  },
};

type Named = Omit<Rule, 'priority'>;

const blockRule = (name: string, statement: Statement, customResponse: CfnWebACL.CustomResponseProperty): Named => ({
  name,
  statement,
  action: { block: { customResponse } },
  visibilityConfig: metrics(name),
});

const tooLarge = { responseCode: 413, customResponseBodyKey: 'tooLarge' };
const tooMany = { responseCode: 429, customResponseBodyKey: 'tooMany' };

const rateRule = (name: string, limit: number, scopeDownStatement: Statement): Named =>
  blockRule(
    name,
    { rateBasedStatement: { aggregateKeyType: 'IP', evaluationWindowSec: 300, limit, scopeDownStatement } },
    tooMany,
  );

/** The common rules of AWS. The rules in `counted` only count. */
const commonRules = (name: string, scopeDownStatement: Statement, counted: readonly string[]): Named => ({
  name,
  statement: {
    managedRuleGroupStatement: {
      vendorName: 'AWS',
      name: 'AWSManagedRulesCommonRuleSet',
      scopeDownStatement,
      ruleActionOverrides: counted.map((rule) => ({ name: rule, actionToUse: { count: {} } })),
    },
  },
  overrideAction: { none: {} },
  visibilityConfig: metrics(name),
});

/** The web ACL in front of the API, and its log of blocked requests. */
export class WebAcl extends Construct {
  readonly arn: string;

  constructor(scope: Construct, id: string, deployment: Deployment, requestsByAddress: Limits) {
    super(scope, id);
    const rules = [
      rateRule('RateOfPublic', requestsByAddress.public, toPublic),
      rateRule('RateOfPartners', requestsByAddress.partners, toPartners),
      blockRule('BodyOfPublic', all(toPublic, longBody), tooLarge),
      blockRule('BodyOfPartners', all(toPartners, longContent), tooLarge),
      commonRules('CommonOfPublic', toPublic, countedForPublic),
      commonRules('CommonOfPartners', toPartners, countedForPartners),
    ];
    const acl = new CfnWebACL(this, 'Acl', {
      scope: 'CLOUDFRONT',
      defaultAction: { allow: {} },
      customResponseBodies: {
        tooLarge: { contentType: 'APPLICATION_JSON', content: '{"message":"Request Entity Too Large"}' },
        tooMany: { contentType: 'APPLICATION_JSON', content: '{"message":"Too Many Requests"}' },
      },
      rules: rules.map((rule, priority) => ({ ...rule, priority })),
      // What a rule matched in a body is not logged either.
      dataProtectionConfig: { dataProtections: [{ field: { fieldType: 'BODY' }, action: 'SUBSTITUTION' }] },
      visibilityConfig: metrics('WebAcl'),
    });
    this.arn = acl.attrArn;
    this.#log(deployment);
  }

  /**
   * Logs only requests that a rule blocked or counted. Access tokens, cookies and query strings are left out, and so is
   * the path, because paths of pages are secret. The IP address is logged: it is what an operator blocks.
   */
  #log(deployment: Deployment): void {
    // The prefix is required by AWS WAF. A kept log does not block the name for the next stack.
    const name = `aws-waf-logs-${uniqueIdOf(this)}`;
    const logGroup = maskedLogGroup(this, 'Log', deployment, { period: 'accessLog', name });
    new CfnLoggingConfiguration(this, 'Logging', {
      resourceArn: this.arn,
      logDestinationConfigs: [
        Stack.of(this).formatArn({
          service: 'logs',
          resource: 'log-group',
          resourceName: logGroup.logGroupName,
          arnFormat: ArnFormat.COLON_RESOURCE_NAME,
        }),
      ],
      redactedFields: [
        { uriPath: {} },
        { queryString: {} },
        ...['authorization', 'cookie'].map((Name) => ({ singleHeader: { Name } })),
      ],
      loggingFilter: {
        DefaultBehavior: 'DROP',
        Filters: [
          {
            Behavior: 'KEEP',
            Requirement: 'MEETS_ANY',
            Conditions: ['BLOCK', 'COUNT', 'EXCLUDED_AS_COUNT'].map((Action) => ({ ActionCondition: { Action } })),
          },
        ],
      },
    });
  }
}
