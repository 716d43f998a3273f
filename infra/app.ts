import { App, Validations } from 'aws-cdk-lib';
import { AwsSolutionsChecks } from 'cdk-nag';
import { bundle, bundleDirectory } from './bundle.ts';
import { OnboardingStack } from './onboarding-stack.ts';

/** Adds the one stack, checked by the AWS Solutions rules: a finding ends the synthesis. */
export function addOnboarding(app: App, bundles: string): OnboardingStack {
  Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
  // Another name (`-c stack=Onboarding-Test`) is a second, independent service in the same account.
  return new OnboardingStack(app, app.node.tryGetContext('stack') ?? 'Onboarding', { bundles });
}

if (import.meta.main) {
  const app = new App();
  // `-c bundle=false` takes the bundles as they lie there, of an earlier `npm run build`.
  if (app.node.tryGetContext('bundle') !== 'false') await bundle();
  addOnboarding(app, bundleDirectory);
  app.synth();
}
