import { App, BOOTSTRAP_QUALIFIER_CONTEXT, Validations } from 'aws-cdk-lib';
import { AwsSolutionsChecks, HIPAASecurityChecks, type NagPack, NIST80053R5Checks, PCIDSS321Checks } from 'cdk-nag';
import { acknowledgeFindings } from './acknowledgements.ts';
import { bundle, bundleDirectory } from './bundle.ts';
import { EdgeStack } from './edge-stack.ts';
import { OnboardingStack } from './onboarding-stack.ts';
import { edgeStackName, hasEdge, InvalidSettings, type Settings, settingsOf } from './settings.ts';
import { stages } from './stages.ts';

/** The rules that every stage is checked against. A finding fails the synthesis. */
export const rulePacks = (): NagPack[] => [
  new AwsSolutionsChecks(),
  new NIST80053R5Checks(),
  new HIPAASecurityChecks(),
  new PCIDSS321Checks(),
];

/**
 * The settings of the stage that `-c stage` names. There is no default: stages can have the same stack name, and a
 * forgotten `-c stage` would deploy one over another.
 * @throws InvalidSettings
 */
export const settingsFor = (app: App): Settings => settingsOf(stages, String(app.node.tryGetContext('stage') ?? ''));

/** Adds the stack, and with the setting `edge` also that of CloudFront. */
export function addOnboarding(app: App, bundles: string, settings: Settings): OnboardingStack {
  if (settings.qualifier) app.node.setContext(BOOTSTRAP_QUALIFIER_CONTEXT, settings.qualifier);
  const stack = new OnboardingStack(app, settings.stackName, { bundles, settings });
  acknowledgeFindings(stack, settings);
  if (hasEdge(settings)) {
    const edge = new EdgeStack(app, edgeStackName(settings), settings);
    // The distribution sends a secret that the stack makes, to a host name that the stack defines.
    edge.addStackDependency(stack);
    acknowledgeFindings(edge, settings);
  }
  return stack;
}

/** Adds everything and writes the templates, or prints one line for each setting that is wrong. */
async function main(): Promise<void> {
  const app = new App();
  const settings = settingsFor(app);
  // `-c bundle=false` uses the bundles of an earlier `npm run build`.
  if (app.node.tryGetContext('bundle') !== 'false') await bundle();
  Validations.of(app).addPlugins(...rulePacks());
  addOnboarding(app, bundleDirectory, settings);
  app.synth();
}

if (import.meta.main) {
  await main().catch((error: unknown) => {
    if (!(error instanceof InvalidSettings)) throw error;
    console.error(error.message);
    process.exitCode = 1;
  });
}
