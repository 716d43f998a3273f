import { describe, expect, test } from 'vitest';
import type { SettingsInput } from '../../../infra/settings.ts';
import { maxPublicBodyBytes } from '../../../lib/http/body.ts';
import { type Json, logicalIdsIn, synthesize, synthesizeEdge } from '../../support/infra/synthesized.ts';

const region = 'eu-central-1';
const arn = (of: string) => `arn:aws:acm:${of}:111122223333:certificate/1`;
const settings = (edge: Partial<NonNullable<SettingsInput['edge']>> = {}): SettingsInput => ({
  region,
  domain: { name: 'api.bank.example', certificate: arn('us-east-1') },
  edge: { origin: { name: 'origin.bank.example', certificate: arn(region) }, ...edge },
});
const changed = settings({ originSecrets: ['b', 'a'], requestsByAddress: { public: 50, partners: 70 } });
const only = ({ edge }: ReturnType<typeof synthesizeEdge>, type: string): Json => {
  const [found, ...others] = Object.values(edge.findResources(type));
  expect(others).toEqual([]);
  return found?.Properties;
};

describe('the domain', () => {
  const made = synthesizeEdge(settings());

  test('belongs to CloudFront and is the issuer; the API has the other host name', () => {
    const { Aliases, ViewerCertificate, Origins } = only(made, 'AWS::CloudFront::Distribution').DistributionConfig;
    expect([Aliases, ViewerCertificate.AcmCertificateArn]).toEqual([['api.bank.example'], arn('us-east-1')]);
    expect(Origins[0].DomainName).toBe('origin.bank.example');
    made.stack.template.hasOutput('ApiUrl', { Value: 'https://api.bank.example' });
    made.stack.template.hasOutput('OriginTarget', {});
    made.edge.hasOutput('DomainTarget', {});
    expect(made.stack.functions.get('get-jwks')!.properties.Environment.Variables.ISSUER).toBe(
      'https://api.bank.example',
    );
  });

  test('passes every request on as it is, and stores no response', () => {
    const { AllowedMethods, CachePolicyId, OriginRequestPolicyId } = only(made, 'AWS::CloudFront::Distribution')
      .DistributionConfig.DefaultCacheBehavior;
    expect(AllowedMethods).toEqual(
      expect.arrayContaining(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']),
    );
    // The managed policies CachingDisabled and AllViewerExceptHostHeader.
    expect(CachePolicyId).toBe('4135ea2d-6df8-44a3-9df3-4b5a84be39ad');
    expect(OriginRequestPolicyId).toBe('b689b0a8-53d0-40ab-baf2-68738e2966ac');
  });
});

test('both stacks are deployed with the bootstrap of the qualifier', () => {
  const { stack, edge } = synthesizeEdge({ ...settings(), qualifier: 'bank' });
  for (const { Parameters } of [stack.template.toJSON(), edge.toJSON()]) {
    expect(Parameters.BootstrapVersion.Default).toBe('/cdk-bootstrap/bank/version');
  }
});

describe('while DNS moves to CloudFront or away from it', () => {
  const { edge, domain, ...others } = settings();
  const certificate = arn(region);
  const before = synthesize({ ...others, domain: { name: domain!.name, certificate } });
  const between = synthesizeEdge(settings({ directCertificate: certificate }));
  const after = synthesizeEdge(settings());
  const domains = ({ ofType }: ReturnType<typeof synthesize>) =>
    Object.fromEntries(
      ['DomainName', 'ApiMapping'].flatMap((type) =>
        ofType(`AWS::ApiGatewayV2::${type}`).map(({ logicalId, Properties }) => [logicalId, Properties]),
      ),
    );

  test('each step only adds or only removes a host name of the API, and replaces none', () => {
    const [first, second, third] = [before, between.stack, after.stack].map(domains);
    expect(second).toEqual({ ...first, ...third });
    expect(
      Object.values<Json>(second!).flatMap(({ DomainName }) => (typeof DomainName === 'string' ? DomainName : [])),
    ).toEqual([domain!.name, edge!.origin.name]);
    expect(Object.keys(second!).filter((id) => id in first! && id in third!)).toEqual([]);
  });

  test('the API takes requests of both ways, and CloudFront already sends the secret', () => {
    for (const { Properties } of between.stack.ofType('AWS::ApiGatewayV2::Route')) {
      expect(Properties.AuthorizationType ?? 'NONE').toBe('NONE');
    }
    for (const type of ['AWS::CloudFront::Distribution', 'AWS::WAFv2::WebACL']) {
      expect(between.edge.findResources(type)).toEqual(after.edge.findResources(type));
    }
    const secrets = ({ stack }: typeof after) => stack.ofType('AWS::SecretsManager::Secret');
    expect(secrets(between)).toEqual(secrets(after));
    between.stack.template.hasOutput('DomainTarget', {});
    between.stack.template.hasOutput('OriginTarget', {});
    expect(Object.keys(after.stack.template.toJSON().Outputs)).not.toContain('DomainTarget');
  });
});

describe('the secrets of the origin', () => {
  const sentBy = (made: ReturnType<typeof synthesizeEdge>): string =>
    only(made, 'AWS::CloudFront::Distribution').DistributionConfig.Origins[0].OriginCustomHeaders[0].HeaderValue;

  test('are all accepted, and the first one is sent, so that one can be replaced', () => {
    const made = synthesizeEdge(changed);
    expect(sentBy(made)).toBe('{{resolve:secretsmanager:Onboarding/eu-central-1/origin/b:SecretString:::}}');
    const secrets = made.stack
      .ofType('AWS::SecretsManager::Secret')
      .filter(({ Properties }) => Properties.Name)
      .map(({ logicalId }) => ({ Ref: logicalId }));
    const { properties, statements } = made.stack.functions.get('check-origin')!;
    expect(properties.Environment.Variables.ORIGIN_SECRETS).toEqual({
      'Fn::Join': ['', [secrets[0], ' ', secrets[1]]],
    });
    expect(statements.find(({ Sid }) => Sid === 'CheckOrigin')).toMatchObject({
      Action: 'secretsmanager:GetSecretValue',
      Resource: expect.arrayContaining(secrets),
    });
  });

  test('are not copied to the region where they are already', () => {
    const { edge: behind, ...others } = settings();
    const { stack } = synthesizeEdge({
      ...others,
      region: 'us-east-1',
      edge: { ...behind!, origin: { name: 'origin.bank.example', certificate: arn('us-east-1') } },
    });
    for (const { Properties } of stack.ofType('AWS::SecretsManager::Secret')) {
      expect(Properties).not.toHaveProperty('ReplicaRegions');
    }
  });
});

test('the API asks about the secret with a role that exists before its routes, not with a permission that may not', () => {
  const { stack } = synthesizeEdge(settings());
  const { AuthorizerCredentialsArn } = stack.the('AWS::ApiGatewayV2::Authorizer').Properties;
  const [role] = logicalIdsIn(AuthorizerCredentialsArn);
  expect(logicalIdsIn(stack.resources[role!].Properties.Policies)).toContain(stack.aliasIdOf('check-origin'));
  const principals = stack.properties('AWS::Lambda::Permission').map(({ Principal }) => Principal);
  expect(principals).not.toContain('apigateway.amazonaws.com');
});

describe('the web ACL', () => {
  const ruleOf = (made: ReturnType<typeof synthesizeEdge>, name: string): Json =>
    only(made, 'AWS::WAFv2::WebACL').Rules.find(({ Name }: Json) => Name === name);

  test('limits what one address may send, as the settings say', () => {
    const made = synthesizeEdge(changed);
    expect(ruleOf(made, 'RateOfPublic').Statement.RateBasedStatement).toMatchObject({
      Limit: 50,
      EvaluationWindowSec: 300,
      ScopeDownStatement: { NotStatement: { Statement: { ByteMatchStatement: { SearchString: '/v1/' } } } },
    });
    expect(ruleOf(made, 'RateOfPartners').Statement.RateBasedStatement).toMatchObject({
      Limit: 70,
      ScopeDownStatement: { ByteMatchStatement: { SearchString: '/v1/' } },
    });
  });

  test('blocks bodies only above what the service accepts, with the same status', () => {
    const made = synthesizeEdge(settings());
    const [, body] = ruleOf(made, 'BodyOfPublic').Statement.AndStatement.Statements;
    expect(body.SizeConstraintStatement).toMatchObject({ Size: maxPublicBodyBytes, ComparisonOperator: 'GT' });
    const [, header] = ruleOf(made, 'BodyOfPartners').Statement.AndStatement.Statements;
    const tooLong = new RegExp(header.RegexMatchStatement.RegexString);
    expect(['0', '4194304', '4999999'].filter((length) => tooLong.test(length))).toEqual([]);
    expect(['5000000', '10485760', '999999999'].filter((length) => !tooLong.test(length))).toEqual([]);
    for (const name of ['BodyOfPublic', 'BodyOfPartners']) {
      expect(ruleOf(made, name).Action.Block.CustomResponse.ResponseCode).toBe(413);
    }
  });

  test('does not reject data of customers because it looks like code', () => {
    const rules = ruleOf(synthesizeEdge(settings()), 'CommonOfPartners').Statement.ManagedRuleGroupStatement;
    const counted = rules.RuleActionOverrides.map(({ Name, ActionToUse }: Json) => {
      expect(ActionToUse).toEqual({ Count: {} });
      return Name;
    });
    expect(counted.filter((name: string) => name.endsWith('_BODY'))).toHaveLength(5);
  });

  test('can be that of the institution', () => {
    const webAcl = 'arn:aws:wafv2:us-east-1:111122223333:global/webacl/bank/1';
    const made = synthesizeEdge(settings({ webAcl }));
    expect(only(made, 'AWS::CloudFront::Distribution').DistributionConfig.WebACLId).toBe(webAcl);
    expect(made.edge.findResources('AWS::WAFv2::WebACL')).toEqual({});
  });
});
