import { readFileSync } from 'node:fs';
import { beforeAll, expect, test } from 'vitest';
import { originHeader } from '../../../infra/constructs/api.ts';
import { type Json, listOf, manySettings, synthesize, synthesizeProduction } from '../../support/infra/synthesized.ts';

/** The guarantees of docs/security.md, on the templates of the production stage. */
let stack: ReturnType<typeof synthesizeProduction>['stack'];
let edge: Json[];

beforeAll(() => {
  const production = synthesizeProduction();
  stack = production.stack;
  edge = Object.entries(production.edge.toJSON().Resources as Json).map(([logicalId, each]: Json) => ({
    logicalId,
    ...each,
  }));
});

const inEdge = (type: string): Json[] => edge.filter(({ Type }) => Type === type);
const properties = (type: string): Json[] => stack.properties(type);
const key = (): Json => ({ 'Fn::GetAtt': [stack.ofType('AWS::KMS::Key')[0].logicalId, 'Arn'] });
const statements = (): Json[] => [...stack.functions.values()].flatMap((each) => each.statements);
/** The functions with a statement whose condition names the partition, with its actions. */
const whoReaches = (partition: string): [id: string, action: Json][] =>
  [...stack.functions].flatMap(([id, each]) =>
    each.statements
      .filter(({ Condition }) => JSON.stringify(Condition ?? '').includes(partition))
      .map(({ Action }): [string, Json] => [id, Action]),
  );
const distribution = (): Json => inEdge('AWS::CloudFront::Distribution')[0].Properties.DistributionConfig;
const denials = (type: string): Json[] =>
  properties(type).map(({ PolicyDocument }) =>
    PolicyDocument.Statement.filter(({ Effect }: Json) => Effect === 'Deny').map(({ Condition }: Json) => Condition),
  );
const overHttp = { Bool: { 'aws:SecureTransport': 'false' } };

const guarantees: Record<string, () => void> = {
  'CloudFront and AWS WAF receive every request. The API rejects a request that did not come through them.': () => {
    expect(distribution().WebACLId).toEqual({ 'Fn::GetAtt': [inEdge('AWS::WAFv2::WebACL')[0].logicalId, 'Arn'] });
    expect(properties('AWS::ApiGatewayV2::Api')).toEqual([
      expect.objectContaining({ DisableExecuteApiEndpoint: true }),
    ]);
    const authorizer = stack.the('AWS::ApiGatewayV2::Authorizer');
    expect(authorizer.Properties.IdentitySource).toEqual([`$request.header.${originHeader}`]);
    expect(JSON.stringify(authorizer.Properties.AuthorizerUri)).toContain(stack.aliasIdOf('check-origin'));
    for (const route of properties('AWS::ApiGatewayV2::Route')) {
      expect(route).toMatchObject({ AuthorizationType: 'CUSTOM', AuthorizerId: { Ref: authorizer.logicalId } });
    }
    const [origin, ...more] = distribution().Origins;
    expect(more).toEqual([]);
    expect(properties('AWS::ApiGatewayV2::DomainName').map(({ DomainName }) => DomainName)).toEqual([
      origin.DomainName,
    ]);
    expect(origin.OriginCustomHeaders.map(({ HeaderName }: Json) => HeaderName)).toEqual([originHeader]);
  },

  'AWS WAF applies the common rules of AWS, and limits the requests of each IP address and the size of bodies.': () => {
    const rules: Json[] = inEdge('AWS::WAFv2::WebACL')[0].Properties.Rules;
    const kinds = rules.map(({ Name, Statement }) => [Name, Object.keys(Statement)[0]]);
    expect(kinds).toEqual([
      ['RateOfPublic', 'RateBasedStatement'],
      ['RateOfPartners', 'RateBasedStatement'],
      ['BodyOfPublic', 'AndStatement'],
      ['BodyOfPartners', 'AndStatement'],
      ['CommonOfPublic', 'ManagedRuleGroupStatement'],
      ['CommonOfPartners', 'ManagedRuleGroupStatement'],
    ]);
    for (const { Action, OverrideAction } of rules) expect(Action?.Block ?? OverrideAction?.None).toBeDefined();
  },

  'The log of AWS WAF, in us-east-1, has IP addresses, but no path, query string, body, token or cookie. The other logs of requests have no IP address either.':
    () => {
      const [{ Properties }] = inEdge('AWS::WAFv2::LoggingConfiguration');
      expect(Properties.RedactedFields).toEqual([
        { UriPath: {} },
        { QueryString: {} },
        { SingleHeader: { Name: 'authorization' } },
        { SingleHeader: { Name: 'cookie' } },
      ]);
      const [acl] = inEdge('AWS::WAFv2::WebACL');
      expect(acl.Properties.DataProtectionConfig.DataProtections).toEqual([
        { Field: { FieldType: 'BODY' }, Action: 'SUBSTITUTION' },
      ]);
      const visible = [acl.Properties, ...acl.Properties.Rules].map(({ VisibilityConfig }: Json) => VisibilityConfig);
      for (const { SampledRequestsEnabled } of visible) expect(SampledRequestsEnabled).toBe(false);
      const fields: string[] = inEdge('AWS::Logs::Delivery')[0].Properties.RecordFields;
      expect(fields.filter((field) => /ip|uri|query|cookie|referer|agent|host/.test(field))).toEqual([]);
      expect(distribution().Logging).toBeUndefined();
      const { Format } = properties('AWS::ApiGatewayV2::Stage')[0].AccessLogSettings;
      expect(Format).toContain('$context.routeKey');
      expect(Format.match(/path|query|identity|\bip\b|agent|authorizer/gi)).toBeNull();
    },

  'Clients can connect only with TLS 1.2 or newer.': () => {
    expect(distribution().ViewerCertificate.MinimumProtocolVersion).toBe('TLSv1.2_2021');
    expect(distribution().DefaultCacheBehavior.ViewerProtocolPolicy).toBe('https-only');
    const { OriginProtocolPolicy, OriginSSLProtocols } = distribution().Origins[0].CustomOriginConfig;
    expect([OriginProtocolPolicy, OriginSSLProtocols]).toEqual(['https-only', ['TLSv1.2']]);
    const [{ DomainNameConfigurations }] = properties('AWS::ApiGatewayV2::DomainName') as [Json];
    expect(DomainNameConfigurations).toEqual([expect.objectContaining({ SecurityPolicy: 'TLS_1_2' })]);
  },

  'Requests without a token cannot use up the request quota of the account.': () => {
    const limits: Json[] = Object.values(properties('AWS::ApiGatewayV2::Stage')[0].RouteSettings);
    expect(limits.length).toBeGreaterThan(20);
    const rate = limits.reduce((sum, { ThrottlingRateLimit }) => sum + ThrottlingRateLimit, 0);
    expect(rate).toBeLessThanOrEqual(5000);
  },

  'One customer-managed key, rotated every year, encrypts the table, the queues, the buckets, the logs, the secrets and the alarm topics. The logs in us-east-1 have a second one. The bucket of access logs has a key of Amazon S3, and the copy of the origin secret in us-east-1 that of AWS Secrets Manager.':
    () => {
      expect(properties('AWS::KMS::Key')).toEqual([expect.objectContaining({ EnableKeyRotation: true })]);
      const [table] = properties('AWS::DynamoDB::GlobalTable') as [Json];
      expect(table.SSESpecification).toEqual({ SSEEnabled: true, SSEType: 'KMS' });
      expect(table.Replicas[0].SSESpecification).toEqual({ KMSMasterKeyId: key() });
      for (const queue of properties('AWS::SQS::Queue')) expect(queue.KmsMasterKeyId).toEqual(key());
      for (const topic of properties('AWS::SNS::Topic')) expect(topic.KmsMasterKeyId).toEqual(key());
      for (const log of properties('AWS::Logs::LogGroup')) expect(log.KmsKeyId).toEqual(key());
      for (const secret of properties('AWS::SecretsManager::Secret')) expect(secret.KmsKeyId).toEqual(key());
      for (const { logicalId, Properties } of stack.ofType('AWS::S3::Bucket')) {
        const [{ ServerSideEncryptionByDefault }] = Properties.BucketEncryption.ServerSideEncryptionConfiguration;
        const own = { SSEAlgorithm: 'aws:kms', KMSMasterKeyID: key() };
        const expected = /AccessLogs/.test(logicalId) ? { SSEAlgorithm: 'AES256' } : own;
        expect(ServerSideEncryptionByDefault).toEqual(expected);
      }
      const [edgeKey] = inEdge('AWS::KMS::Key');
      for (const { Properties } of inEdge('AWS::Logs::LogGroup')) {
        expect(Properties.KmsKeyId).toEqual({ 'Fn::GetAtt': [edgeKey.logicalId, 'Arn'] });
      }
      // Without a key of the region, Secrets Manager uses its own.
      const copies = properties('AWS::SecretsManager::Secret').flatMap(({ ReplicaRegions = [] }) => ReplicaRegions);
      expect(copies).toEqual([{ Region: 'us-east-1' }]);
    },

  'A function can use the key only through DynamoDB, SQS, S3 and Secrets Manager, and only if it uses that service.':
    () => {
      for (const [id, { statements: own }] of stack.functions) {
        const services = new Set(own.flatMap(({ Action }) => listOf<string>(Action)).map((each) => each.split(':')[0]));
        const through = own
          .filter(({ Action }) => listOf<string>(Action).some((action) => action.startsWith('kms:')))
          .map(({ Condition, Resource }) => {
            expect(Resource).toEqual(key());
            return Condition.StringEquals['kms:ViaService'].split('.')[0];
          });
        const using = ['dynamodb', 'sqs', 's3', 'secretsmanager'].filter((each) => services.has(each));
        expect([id, through.sort()]).toEqual([id, using.sort()]);
      }
    },

  'Queues, buckets and the alarm topics reject requests without TLS.': () => {
    const protectedBy = { 'AWS::SQS::QueuePolicy': 'AWS::SQS::Queue', 'AWS::S3::BucketPolicy': 'AWS::S3::Bucket' };
    for (const [policy, resource] of Object.entries({ ...protectedBy, 'AWS::SNS::TopicPolicy': 'AWS::SNS::Topic' })) {
      expect(denials(policy)).toHaveLength(stack.ofType(resource).length);
      for (const conditions of denials(policy)) expect(conditions).toContainEqual(overHttp);
    }
  },

  'Each function has a role of its own, whose policy names every action and every resource; only objects of buckets are patterns.':
    () => {
      const roles = [...stack.functions.values()].map((each) => each.properties.Role['Fn::GetAtt'][0]);
      expect(new Set(roles).size).toBe(roles.length);
      expect(stack.ofType('AWS::IAM::Policy')).toEqual([]);
      expect(stack.ofType('AWS::IAM::ManagedPolicy')).toEqual([]);
      for (const { Properties } of stack.ofType('AWS::IAM::Role')) expect(Properties.ManagedPolicyArns).toBeUndefined();
      for (const { Effect, Action, Resource } of statements()) {
        expect(Effect).toBe('Allow');
        expect(listOf<string>(Action).join()).not.toContain('*');
        if (listOf<string>(Action).some((action) => !action.startsWith('s3:'))) {
          expect(JSON.stringify(Resource)).not.toContain('*');
        }
      }
    },

  'No function can scan the table, delete it or change its settings.': () => {
    const actions = statements().flatMap(({ Action }) => listOf<string>(Action));
    const onTable = new Set(actions.filter((action) => action.startsWith('dynamodb:')));
    const items =
      /^dynamodb:(DescribeStream|ListStreams|GetRecords|GetShardIterator|BatchGetItem|Query|PartiQL(Insert|Update)|(Put|Update|Delete|ConditionCheck)Item)$/;
    expect([...onTable].filter((action) => !items.test(action))).toEqual([]);
  },

  'Only the token function can read the private signing keys. Other principals of the account are denied.': () => {
    const signing = stack.the('AWS::SecretsManager::Secret', /^SigningKeys/);
    const reads = ({ Action, Resource }: Json) =>
      Action === 'secretsmanager:GetSecretValue' && JSON.stringify(Resource).includes(signing.logicalId);
    const readers = [...stack.functions].filter(([, each]) => each.statements.some(reads)).map(([id]) => id);
    expect(readers).toEqual(['create-token']);
    const { SecretId, BlockPublicPolicy, ResourcePolicy } = stack.the('AWS::SecretsManager::ResourcePolicy').Properties;
    expect([SecretId, BlockPublicPolicy]).toEqual([{ Ref: signing.logicalId }, true]);
    expect(ResourcePolicy.Statement).toEqual([
      expect.objectContaining({
        Effect: 'Deny',
        Principal: { AWS: '*' },
        Action: 'secretsmanager:GetSecretValue',
        Condition: {
          StringNotEquals: { 'aws:PrincipalArn': stack.functions.get('create-token')!.properties.Role },
        },
      }),
    ]);
  },

  'Only the function that delivers webhooks and the one that changes them can read their secrets.': () => {
    expect(whoReaches('WEBHOOK#')).toEqual([
      ['create-webhook', 'dynamodb:BatchGetItem'],
      ['create-webhook', ['dynamodb:PartiQLInsert', 'dynamodb:PartiQLUpdate', 'dynamodb:PutItem']],
      ['create-webhook', 'dynamodb:DeleteItem'],
      ['webhook-delivery', 'dynamodb:BatchGetItem'],
      ['webhook-delivery', 'dynamodb:DeleteItem'],
    ]);
  },

  'Only the functions of tokens, webhooks and erasures, the one that cancels journeys, and the one that publishes campaigns at their time, can add to the audit log. No function can read or change it.':
    () => {
      // `confirm-journey` serves the cancelling, too.
      const writers = [
        'confirm-journey',
        'create-token',
        'create-webhook',
        'erase-contact',
        'erasure-worker',
        'import-worker',
        'webhook-delivery',
      ];
      expect(whoReaches('AUDIT#').sort()).toEqual(writers.map((id) => [id, 'dynamodb:PartiQLInsert']));
    },

  'Only the function that erases can list or delete objects of the drop box, or delete contacts.': () => {
    for (const action of ['s3:ListBucketVersions', 's3:DeleteObjectVersion']) {
      expect(stack.whoMay(action)).toEqual(['erasure-worker']);
    }
    const deletes = whoReaches('T#*#C#*').filter(([, action]) => listOf(action).includes('dynamodb:DeleteItem'));
    expect(deletes.map(([id]) => id)).toEqual(['erasure-worker']);
  },

  'Every role has the permissions boundary of the settings.': () => {
    const bounded = synthesize(manySettings).ofType('AWS::IAM::Role');
    expect(bounded.length).toBeGreaterThan(30);
    for (const { Properties } of bounded) {
      expect(Properties.PermissionsBoundary).toBe(manySettings.permissionsBoundary);
    }
  },

  'The stacks create no function that is not in the list of functions, and no custom resource.': () => {
    expect(stack.ofType('AWS::Lambda::Function')).toHaveLength(stack.functions.size);
    const types = [...Object.values(stack.resources), ...edge].map(({ Type }) => Type);
    expect(types.filter((type) => /Custom|CDK::Metadata/.test(type))).toEqual([]);
    expect(inEdge('AWS::Lambda::Function')).toEqual([]);
  },

  'The table can be restored to any second of the last 35 days, and is not deleted with the stack.': () => {
    const [{ Properties, DeletionPolicy }] = stack.ofType('AWS::DynamoDB::GlobalTable') as [Json];
    expect(Properties.Replicas[0]).toMatchObject({
      DeletionProtectionEnabled: true,
      PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true, RecoveryPeriodInDays: 35 },
    });
    expect(DeletionPolicy).toBe('Retain');
    expect(stack.ofType('AWS::KMS::Key').map((each) => each.DeletionPolicy)).toEqual(['RetainExceptOnCreate']);
  },

  'Buckets are private, keep versions, and are not deleted with the stack.': () => {
    for (const { Properties, DeletionPolicy } of stack.ofType('AWS::S3::Bucket')) {
      expect(Object.values(Properties.PublicAccessBlockConfiguration)).toEqual([true, true, true, true]);
      expect(Properties.VersioningConfiguration).toEqual({ Status: 'Enabled' });
      expect(DeletionPolicy).toBe('RetainExceptOnCreate');
    }
  },

  'Logs are kept for the time of the settings, also if the stack is deleted. The logs of functions mask personal data.':
    () => {
      for (const log of [...stack.ofType('AWS::Logs::LogGroup'), ...inEdge('AWS::Logs::LogGroup')]) {
        expect([90, 365]).toContain(log.Properties.RetentionInDays);
        expect(log.DeletionPolicy).toMatch(/^Retain/);
      }
      for (const { properties: of } of stack.functions.values()) {
        const { DataProtectionPolicy } = stack.resources[of.LoggingConfig.LogGroup.Ref].Properties;
        const masks = DataProtectionPolicy.Statement.filter(({ Operation }: Json) => Operation.Deidentify);
        expect(masks[0].DataIdentifier).toContain('arn:aws:dataprotection::aws:data-identifier/EmailAddress');
      }
    },

  'No template contains a secret.': () => {
    for (const secret of properties('AWS::SecretsManager::Secret')) expect(secret).not.toHaveProperty('SecretString');
    const [{ HeaderValue }] = distribution().Origins[0].OriginCustomHeaders;
    expect(HeaderValue).toBe('{{resolve:secretsmanager:Onboarding/eu-central-1/origin/a:SecretString:::}}');
    const [secret] = properties('AWS::SecretsManager::Secret').filter(
      ({ Name }) => Name === 'Onboarding/eu-central-1/origin/a',
    );
    expect(secret.ReplicaRegions).toEqual([{ Region: 'us-east-1' }]);
  },
};

const [, section = ''] = readFileSync('docs/security.md', 'utf8').split('\n## What the stack guarantees\n');
const listed = [...section.split('\n## ')[0]!.matchAll(/^- (.+)$/gm)].map(([, guarantee]) => guarantee!);

test('docs/security.md lists every guarantee, each once', () => {
  expect(listed.sort()).toEqual(Object.keys(guarantees).sort());
});

test.each(Object.entries(guarantees))('%s', (_, check) => check());
