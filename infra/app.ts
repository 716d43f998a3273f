import { App, Validations } from 'aws-cdk-lib';
import { AwsSolutionsChecks, HIPAASecurityChecks, NIST80053R5Checks, PCIDSS321Checks } from 'cdk-nag';
import { bundle, bundleDirectory } from './bundle.ts';
import { EdgeStack, hasEdge } from './edge-stack.ts';
import { OnboardingStack } from './onboarding-stack.ts';
import { InvalidSettings, type Settings, settingsOf } from './settings.ts';
import { stages } from './stages.ts';

/** The stage without `-c stage`. */
const defaultStage = 'development';

/**
 * The settings of the stage that `-c stage` names.
 * @throws InvalidSettings
 */
export const settingsFor = (app: App): Settings =>
  settingsOf(stages, String(app.node.tryGetContext('stage') ?? defaultStage));

/** Adds the stack, with `edge` also that of CloudFront, and checks both against the AWS Solutions rules: a finding fails the synthesis. */
export function addOnboarding(app: App, bundles: string, settings: Settings): OnboardingStack {
  Validations.of(app).addPlugins(
    new AwsSolutionsChecks(app),
    new NIST80053R5Checks(app),
    new HIPAASecurityChecks(app),
    new PCIDSS321Checks(app),
  );
  const stack = new OnboardingStack(app, settings.stackName, { bundles, settings });
  // The distribution sends a secret that the stack makes, to a host name that the stack defines.
  if (hasEdge(settings)) new EdgeStack(app, `${settings.stackName}Edge`, settings).addStackDependency(stack);
  return stack;
}

/** Adds everything and writes the templates, or prints one line for each setting that is wrong. */
async function main(): Promise<void> {
  const app = new App();
  const settings = settingsFor(app);
  // `-c bundle=false` uses the bundles of an earlier `npm run build`.
  if (app.node.tryGetContext('bundle') !== 'false') await bundle();
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
