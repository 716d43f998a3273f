import { App, Validations } from 'aws-cdk-lib';
import { AwsSolutionsChecks } from 'cdk-nag';
import { bundle, bundleDirectory } from './bundle.ts';
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

/** Adds the stack and checks it against the AWS Solutions rules: a finding fails the synthesis. */
export function addOnboarding(app: App, bundles: string, settings: Settings): OnboardingStack {
  Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
  return new OnboardingStack(app, settings.stackName, { bundles, settings });
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
