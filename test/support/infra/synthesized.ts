import { mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { App, type AppProps, NestedStack, Validations } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { addOnboarding, rulePacks } from '../../../infra/app.ts';
import { entryPoints } from '../../../infra/bundle.ts';
import type { EdgeStack } from '../../../infra/edge-stack.ts';
import { OnboardingStack } from '../../../infra/onboarding-stack.ts';
import { type SettingsInput, settingsOf } from '../../../infra/settings.ts';
import { stages } from '../../../infra/stages.ts';

/** Properties of a resource or parts of one, as the template has them. */
// biome-ignore lint/suspicious/noExplicitAny: a template is JSON whose shape the tests check
export type Json = any;

/** Bundles that contain only the id of their function, because the template does not depend on their content. */
export function stubBundles(directory: string): string {
  for (const id of Object.keys(entryPoints)) {
    mkdirSync(join(directory, id), { recursive: true });
    writeFileSync(join(directory, id, 'index.mjs'), id);
  }
  return directory;
}

/** What no test reads and what takes a third of the time: where each resource was created, and copies of the bundles. */
const leftOut = { 'aws:cdk:disable-creation-stack-traces': true, 'aws:cdk:disable-asset-staging': true };
let stubs: string | undefined;

/** An app with the settings of `cdk.json`, in a temporary folder. */
export function testApp(props: AppProps = {}): { app: App; bundles: string; outdir: string } {
  const folder = mkdtempSync(join(tmpdir(), 'onboarding-synth-'));
  const outdir = join(folder, 'out');
  const settings = JSON.parse(readFileSync('cdk.json', 'utf8')).context;
  const app = new App({
    stackTraces: false,
    treeMetadata: false,
    ...props,
    outdir,
    context: { ...settings, ...leftOut, ...props.context },
  });
  stubs ??= stubBundles(join(folder, 'bundles'));
  return { app, bundles: stubs, outdir };
}

export type DeployedFunction = {
  logicalId: string;
  properties: Json;
  /** The statements of its role. */
  statements: Json[];
};

/** Makes the result once for each argument. */
function once<Input, Result>(make: (input: Input) => Result): (input: Input) => Result {
  const results = new Map<string, Result>();
  return (input) => {
    const key = JSON.stringify(input);
    const result = results.get(key) ?? make(input);
    results.set(key, result);
    return result;
  };
}

/** Settings with a restored table. */
export const ofRestoredTable = {
  restoredTable: 'restored',
  restoredStream: 'arn:aws:dynamodb:eu-central-1:111122223333:table/restored/stream/2026-11-20T08:00:00.000',
} satisfies SettingsInput;

/** A stack that sends messages. */
export const sending = {
  messages: { senders: { 'bank.example': [], 'cards.example': ['6f1c4f0e-8f4f-4c42-9b5e-2b4f0c1d7a10'] } },
} satisfies SettingsInput;

/** Settings that each only add to the stack, so that the tests of them share one template. */
export const manySettings = {
  domain: { name: 'api.bank.example', certificate: 'arn:aws:acm:eu-central-1:111122223333:certificate/1' },
  permissionsBoundary: 'arn:aws:iam::111122223333:policy/Boundary',
  alarmEmails: ['a@bank.example', 'b@bank.example'],
  monthlyBudget: 300,
  frameAncestors: ['https://a.example', 'https://b.example'],
  retention: { payloads: 7, events: 90, audit: 400 },
  events: { bus: 'arn:aws:events:eu-central-1:111122223333:event-bus/bank' },
  backups: { copies: { copyTo: 'arn:aws:backup:eu-west-1:777788889999:backup-vault:onboarding' } },
  trafficShift: 'linear',
} satisfies SettingsInput;

const stackOf = once(synthesized);

/** The stack's template, and its functions by their ids. */
export const synthesize = (input: SettingsInput = {}): ReturnType<typeof synthesized> => stackOf(input);

function synthesized(input: SettingsInput) {
  const settings = settingsOf({ test: input }, 'test');
  const { app, bundles, outdir } = testApp({ builtinCloudFormationValidation: false });
  return readable(new OnboardingStack(app, settings.stackName, { bundles, settings }), outdir);
}

function readable(stack: OnboardingStack, outdir: string) {
  const whole = withNested(stack, Template.fromStack(stack).toJSON(), outdir);
  const template = Template.fromJSON(whole);
  const assets: Json = JSON.parse(readFileSync(join(outdir, `${stack.artifactId}.assets.json`), 'utf8'));
  const resources = whole.Resources as Record<string, Json>;
  const ofType = (type: string): Json[] =>
    Object.entries(resources)
      .filter(([, resource]) => resource.Type === type)
      .map(([logicalId, resource]) => ({ logicalId, ...resource }));

  const properties = (type: string): Json[] => ofType(type).map(({ Properties }) => Properties);
  /** The only resource of the type whose logical id matches. */
  const the = (type: string, name = /^/): Json => {
    const [found, ...others] = ofType(type).filter(({ logicalId }) => name.test(logicalId));
    if (!found || others.length > 0)
      throw new Error(`${others.length + (found ? 1 : 0)} resources are ${type} ${name}`);
    return found;
  };

  /** A function is identified by the folder of its bundle. */
  const idOf = ({ Code }: Json): string => basename(assets.files[Code.S3Key.replace('.zip', '')].source.path);
  const functions = new Map<string, DeployedFunction>(
    ofType('AWS::Lambda::Function').map(({ logicalId, Properties: properties }) => {
      const role = resources[properties.Role['Fn::GetAtt'][0]];
      const statements = role.Properties.Policies.flatMap((policy: Json) => policy.PolicyDocument.Statement);
      return [idOf(properties), { logicalId, properties, statements }];
    }),
  );
  /** The functions that may do the action. */
  const whoMay = (action: string): string[] =>
    [...functions].flatMap(([id, { statements }]) =>
      statements.some(({ Action }) => listOf<string>(Action).includes(action)) ? [id] : [],
    );
  /** The functions that have the variable, with its value. */
  const told = (name: string): [id: string, value: Json][] =>
    [...functions]
      .map(([id, { properties }]): [string, Json] => [id, properties.Environment.Variables[name]])
      .filter(([, value]) => value !== undefined)
      .sort();
  const byLogicalId = new Map([...functions].map(([id, { logicalId }]) => [logicalId, id]));
  /** The id of the function that a reference in the template means, directly or through its alias. */
  const functionAt = (reference: Json): string | undefined =>
    logicalIdsIn(reference)
      .map((logicalId) => byLogicalId.get(resources[logicalId]?.Properties.FunctionName?.Ref ?? logicalId))
      .find((id) => id !== undefined);
  /** The logical id of the alias of a function. */
  const aliasIdOf = (id: string): string =>
    ofType('AWS::Lambda::Alias').find(({ Properties }) => functionAt(Properties.FunctionName) === id)?.logicalId;
  /** The name of a function with its alias, as the CDK cuts it out of the alias's ARN. */
  const aliasOf = (id: string): Json => {
    const parts = { 'Fn::Split': [':', { Ref: aliasIdOf(id) }] };
    return { 'Fn::Join': ['', [{ 'Fn::Select': [6, parts] }, ':live']] };
  };
  return {
    stack,
    template,
    resources,
    ofType,
    properties,
    the,
    functions,
    whoMay,
    told,
    functionAt,
    aliasIdOf,
    aliasOf,
  };
}

/** The template with the resources of nested stacks in their place, and what each stack refers to in the other. */
function withNested(stack: OnboardingStack, template: Json, outdir: string): Json {
  let whole = JSON.stringify(template);
  for (const nested of stack.node.findAll().filter((node) => NestedStack.isNestedStack(node))) {
    const logicalId = stack.getLogicalId(nested.nestedStackResource!);
    // Also with what an earlier nested stack tells.
    const { Parameters = {} } = JSON.parse(whole).Resources[logicalId].Properties;
    const file = readFileSync(join(outdir, nested.templateFile), 'utf8');
    let inner = JSON.stringify({ Outputs: {}, ...JSON.parse(file) });
    for (const [name, value] of Object.entries(Parameters)) {
      inner = inner.replaceAll(`{"Ref":"${name}"}`, () => JSON.stringify(value));
    }
    const { Resources, Outputs } = JSON.parse(inner);
    for (const [name, { Value }] of Object.entries(Outputs) as [string, Json][]) {
      whole = whole.replaceAll(`{"Fn::GetAtt":["${logicalId}","Outputs.${name}"]}`, () => JSON.stringify(Value));
    }
    const outer = JSON.parse(whole);
    delete outer.Resources[logicalId];
    // What depends on a nested stack depends on everything in it.
    for (const resource of Object.values<Json>(outer.Resources)) {
      if (!resource.DependsOn) continue;
      const isNested = (id: string) => id === logicalId;
      resource.DependsOn = listOf<string>(resource.DependsOn).flatMap((id) =>
        isNested(id) ? Object.keys(Resources) : id,
      );
    }
    whole = JSON.stringify({ ...outer, Resources: { ...outer.Resources, ...Resources } });
  }
  return JSON.parse(whole);
}

type Stage = {
  /** Rules broken, each as `plug-in: rule: construct`. */
  findings: string[];
  templates: { name: string; bytes: number; resources: number; parameters: number }[];
};
/** All stacks of a stage as `npx cdk synth` makes them, with every check. */
export const synthesizeStage = once(synthesizedStage);

function synthesizedStage(stage: string): Stage {
  const settings = settingsOf(stages, stage);
  const { app, bundles, outdir } = testApp({ context: { '@aws-cdk/core:failSynthOnValidationErrors': false } });
  Validations.of(app).addPlugins(...rulePacks());
  addOnboarding(app, bundles, settings);
  app.synth();
  return {
    findings: findingsIn(outdir),
    // Those of nested stacks too.
    templates: readdirSync(outdir)
      .filter((file) => file.endsWith('.template.json'))
      .map((file) => {
        const text = readFileSync(join(outdir, file), 'utf8');
        const { Resources, Parameters = {} } = JSON.parse(text);
        const counts = { resources: Object.keys(Resources).length, parameters: Object.keys(Parameters).length };
        return { name: file.replace('.template.json', ''), bytes: text.length, ...counts };
      }),
  };
}

/** The findings in the report that a synthesis writes. */
export function findingsIn(outdir: string): string[] {
  const { pluginReports } = JSON.parse(readFileSync(join(outdir, 'validation-report.json'), 'utf8'));
  return pluginReports.flatMap(({ pluginName, violations }: Json) =>
    violations.flatMap(({ ruleName, violatingConstructs }: Json) =>
      violatingConstructs.map(({ constructPath }: Json) => `${pluginName}: ${ruleName}: ${constructPath}`),
    ),
  );
}

/** The templates of the stack and of CloudFront with these settings, without checks, which take seconds. */
export const synthesizeEdge = once(synthesizedEdge);

/** Those of the production stage, with a budget. */
export const synthesizeProduction = () => synthesizeEdge({ ...stages.production, monthlyBudget: 300 });

function synthesizedEdge(input: SettingsInput) {
  const { app, bundles, outdir } = testApp({ builtinCloudFormationValidation: false });
  const settings = settingsOf({ test: input }, 'test');
  const stack = addOnboarding(app, bundles, settings);
  const edge = app.node.findChild(`${settings.stackName}Edge-${settings.region}`) as EdgeStack;
  return { stack: readable(stack, outdir), edge: Template.fromStack(edge), edgeStack: edge };
}

/** The logical ids that `Ref` and `Fn::GetAtt` name in a value of a template. */
export const logicalIdsIn = (value: Json): string[] =>
  [...JSON.stringify(value).matchAll(/{"(?:Ref":|Fn::GetAtt":\[)"([^"]+)"/g)].map(([, id]) => id!);

/** As a list, whether the template has one or several. */
export const listOf = <T>(value: T | T[]): T[] => (Array.isArray(value) ? value : [value]);
