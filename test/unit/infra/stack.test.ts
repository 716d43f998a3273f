import { describe, expect, test } from 'vitest';
import { tableDefinition } from '../../../bin/local/storage/table.ts';
import { entryPoints } from '../../../infra/bundle.ts';
import { gatewayMethods, groupOf, type Route, type RouteGroup, throttles } from '../../../lib/route.ts';
import { defaultRoute, docsRoutes, routes as interfaceRoutes, originCheck, ownFunctions } from '../../../lib/routes.ts';
import { table } from '../../../lib/store/table/table.ts';
import { type Json, logicalIdsIn, ofRestoredTable, sending, synthesize } from '../../support/infra/synthesized.ts';

/** With every resource that a setting can add. */
const routes: readonly Route[] = [...interfaceRoutes, ...docsRoutes];
const stack = synthesize({ docs: true, ...sending });

describe('the API', () => {
  test('has a route to its function for each row and method of the route table, and no other', () => {
    const deployed = stack.ofType('AWS::ApiGatewayV2::Route').map(({ Properties }) => {
      const integration = stack.resources[Properties.Target['Fn::Join'][1][1].Ref];
      return [Properties.RouteKey, stack.functionAt(integration.Properties.IntegrationUri)];
    });
    const listed = routes.flatMap((route) =>
      gatewayMethods(route).map((method) => [`${method} ${route.path}`, route.servedBy ?? route.id]),
    );
    expect(listed).toContainEqual(['HEAD /v1/contacts', 'list-contacts']);
    expect(listed).toContainEqual(['ANY /oauth2/token', 'create-token']);
    expect(deployed.sort()).toEqual([...listed, ['$default', defaultRoute.id]].sort());
  });

  test('may invoke the functions of its routes, with one integration each and one role that only API Gateway can take, and no other', () => {
    const used = stack.ofType('AWS::ApiGatewayV2::Integration').map(({ Properties }) => Properties.CredentialsArn);
    const [role, ...others] = new Set(used.flatMap((arn) => logicalIdsIn(arn)));
    expect(others).toEqual([]);
    const { AssumeRolePolicyDocument, Policies } = stack.resources[role!].Properties;
    expect(AssumeRolePolicyDocument.Statement).toMatchObject([{ Principal: { Service: 'apigateway.amazonaws.com' } }]);
    const [{ Action, Resource }, ...more] = Policies.flatMap(({ PolicyDocument }: Json) => PolicyDocument.Statement);
    expect([Action, Policies.length, more]).toEqual(['lambda:InvokeFunction', 1, []]);
    for (const { Ref } of Resource) expect(stack.resources[Ref].Type).toBe('AWS::Lambda::Alias');
    const listed = [...ownFunctions, ...docsRoutes, defaultRoute].map(({ id }) => id);
    expect(Resource.map(stack.functionAt).sort()).toEqual(listed.sort());
    expect(used).toHaveLength(listed.length);
    const permitted = stack.ofType('AWS::Lambda::Permission').map(({ Properties }) => Properties.Principal);
    expect(permitted).not.toContain('apigateway.amazonaws.com');
  });

  const limits = (group: RouteGroup) => ({
    ThrottlingRateLimit: throttles[group].rateLimit,
    ThrottlingBurstLimit: throttles[group].burstLimit,
  });

  test('throttles partners, the token endpoint and all other public routes apart from each other', () => {
    const { DefaultRouteSettings, RouteSettings } = stack.the('AWS::ApiGatewayV2::Stage').Properties;
    expect(DefaultRouteSettings).toEqual(limits('partners'));
    const open = routes
      .filter(({ access }) => access === 'public')
      .flatMap((route) => gatewayMethods(route).map((method) => [`${method} ${route.path}`, limits(groupOf(route))]));
    expect(RouteSettings).toEqual(Object.fromEntries([...open, ['$default', limits('public')]]));
    expect(RouteSettings['ANY /oauth2/token']).toEqual(limits('token'));
  });

  test('limits a route only once it exists', () => {
    const { DependsOn, Properties } = stack.the('AWS::ApiGatewayV2::Stage');
    const keys = DependsOn.map((id: string) => stack.resources[id].Properties.RouteKey);
    expect(keys).toEqual(expect.arrayContaining(Object.keys(Properties.RouteSettings)));
  });
});

describe('the reference', () => {
  const pathsOf = ({ ofType }: ReturnType<typeof synthesize>): string[] =>
    ofType('AWS::ApiGatewayV2::Route').map(({ Properties }) => Properties.RouteKey);

  test('is deployed with the setting docs, and is the start page', () => {
    expect(pathsOf(stack)).toEqual(expect.arrayContaining(['GET /docs', 'GET /docs/{file}']));
    expect(stack.told('START_PAGE')).toEqual([['no-route', '/docs']]);
  });

  test('is not deployed without it', () => {
    const without = synthesize();
    expect(pathsOf(without)).toContain('GET /openapi.json');
    expect(pathsOf(without).filter((path) => path.includes('/docs'))).toEqual([]);
    expect(without.told('START_PAGE')).toEqual([]);
  });
});

/** Without the authorizer, which only a stack behind CloudFront has. */
const deployed = Object.keys(entryPoints).filter((id) => id !== originCheck.id);

describe('the functions', () => {
  test('are those of the route table and the background list', () => {
    expect([...stack.functions.keys()].sort()).toEqual(deployed.sort());
  });

  test('run Node 24 on arm64, each with a kept log of its own', () => {
    const logs = [...stack.functions.values()].map(({ properties }) => {
      expect(properties).toMatchObject({ Runtime: 'nodejs24.x', Architectures: ['arm64'], Handler: 'index.handler' });
      const { Ref: log } = properties.LoggingConfig.LogGroup;
      expect(stack.resources[log].Properties.RetentionInDays).toBe(90);
      return log;
    });
    expect(new Set(logs).size).toBe(deployed.length);
  });

  test('know the table and the issuer; of the rest, each what its grants and its trigger ask for', () => {
    const sends = routes.filter(({ grants }) => grants.sends).map(({ id }) => id);
    const expected: Record<string, string[]> = {
      TABLE_NAME: deployed,
      ISSUER: deployed,
      QUEUE_URL: [...sends, 'drop-box-reader', 'event-publisher', 'sweeper', 'import-worker'],
      DROP_BUCKET: ['drop-box-notice', 'drop-box-reader', 'erasure-worker'],
      DROP_QUEUE_URL: ['drop-box-notice', 'drop-box-reader'],
      WEBHOOK_QUEUE_URL: ['create-webhook', 'event-publisher', 'sweeper', 'webhook-delivery'],
      LOCAL_WEBHOOKS: [],
      IMAGE_BUCKET: ['erasure-worker', 'get-file'],
      SIGNING_KEYS: ['create-token', 'rotate-signing-key'],
      TOKEN_LIFETIME_SECONDS: ['create-token', 'rotate-signing-key'],
    };
    for (const [name, ids] of Object.entries(expected)) {
      expect([name, stack.told(name).map(([id]) => id)]).toEqual([name, [...ids].sort()]);
    }
  });

  test('take the base address of the API for the issuer of its tokens', () => {
    const { ISSUER } = stack.functions.get('create-token')!.properties.Environment.Variables;
    const api = stack.the('AWS::ApiGatewayV2::Api').logicalId;
    expect(ISSUER).toEqual({ 'Fn::GetAtt': [api, 'ApiEndpoint'] });
    stack.template.hasOutput('ApiUrl', { Value: ISSUER });
  });
});

describe('the table', () => {
  test('has the keys and indexes of the local one', () => {
    const { Properties } = stack.the('AWS::DynamoDB::GlobalTable');
    const local = tableDefinition('local');
    const byName = (definitions: Json[]) =>
      definitions.toSorted((a, b) => (a.AttributeName < b.AttributeName ? -1 : 1));
    expect(Properties.KeySchema).toEqual(local.KeySchema);
    expect(byName(Properties.AttributeDefinitions)).toEqual(byName(local.AttributeDefinitions!));
    expect(Properties.GlobalSecondaryIndexes).toEqual(local.GlobalSecondaryIndexes);
    expect(Properties.BillingMode).toBe(local.BillingMode);
    expect(Properties.TimeToLiveSpecification).toEqual({ AttributeName: table.timeToLive, Enabled: true });
  });

  test('gives way to one that was restored from its backups', () => {
    const { ofType, functions, told, template } = synthesize(ofRestoredTable);
    expect(ofType('AWS::Lambda::EventSourceMapping').map(({ Properties }) => Properties.EventSourceArn)).toContain(
      ofRestoredTable.restoredStream,
    );
    expect(ofType('AWS::DynamoDB::GlobalTable')).toEqual([]);
    for (const { properties, statements } of functions.values()) {
      expect(properties.Environment.Variables.TABLE_NAME).toBe('restored');
      const resources = statements.filter(({ Action }) => /dynamodb/.test(Action)).map(({ Resource }) => Resource);
      for (const resource of resources) expect(JSON.stringify(resource)).toMatch(/:table\/restored[/"]/);
    }
    // Events get other ids than before, and earlier cursors are gone.
    const epochs = new Map(told('EVENT_EPOCH'));
    expect([...epochs.keys()]).toEqual(expect.arrayContaining(['event-publisher', 'list-events']));
    expect(new Set(epochs.values()).size).toBe(1);
    template.hasOutput('EventEpoch', { Value: epochs.get('list-events') });
    const other = {
      restoredTable: 'again',
      restoredStream: ofRestoredTable.restoredStream.replace('restored', 'again'),
    };
    expect(new Map(synthesize({ ...ofRestoredTable, ...other }).told('EVENT_EPOCH'))).not.toEqual(epochs);
    expect(stack.told('EVENT_EPOCH')).toEqual([]);
  });
});

test('the outputs are those that the admin command looks for', () => {
  const outputs = Object.keys(stack.template.toJSON().Outputs);
  expect(outputs).toEqual(
    expect.arrayContaining(['ApiUrl', 'TableName', 'QueueUrl', 'DeadLetterQueueUrl', 'DropBoxBucket', 'ImageBucket']),
  );
});
