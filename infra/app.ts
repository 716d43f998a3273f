import { App, Validations } from 'aws-cdk-lib';
import { AwsSolutionsChecks } from 'cdk-nag';
import { auditRetentionOf, defaultAuditRetentionDays } from '../lib/domain/audit-retention.ts';
import { isEmbedderSetting } from '../lib/domain/frame-ancestors.ts';
import { bundle, bundleDirectory } from './bundle.ts';
import type { Domain } from './constructs/api.ts';
import { OnboardingStack } from './onboarding-stack.ts';

/**
 * Adds the stack and checks it against the AWS Solutions rules: a finding fails the synthesis. The settings come from
 * the context (`-c name=value`):
 * - `stack`: the name of the stack. A second name makes a second, independent service in the same account.
 * - `domain` and `certificate`: a custom domain.
 * - `table`: a table that was restored from a backup.
 * - `docs`: serves the API reference at `/docs`.
 * - `frameAncestors`: the sites that may show channel content in a frame.
 * - `auditRetentionDays`: the number of days that entries of the audit log are kept.
 */
export function addOnboarding(app: App, bundles: string): OnboardingStack {
  Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
  const setting = (name: string): string | undefined => app.node.tryGetContext(name);
  const domain = domainOf(setting('domain'), setting('certificate'));
  const restoredTable = setting('table');
  const docs = isOn('docs', setting('docs'));
  const frameAncestors = embeddersOf(setting('frameAncestors') ?? '');
  const auditRetentionDays = retentionOf(setting('auditRetentionDays'));
  const props = { bundles, domain, restoredTable, docs, frameAncestors, auditRetentionDays };
  return new OnboardingStack(app, setting('stack') ?? 'Onboarding', props);
}

function embeddersOf(text: string): string {
  if (!isEmbedderSetting(text))
    throw new Error('the setting frameAncestors must be * or a list of origins separated by single spaces');
  return text;
}

function retentionOf(text: string | undefined): number {
  const days = text === undefined ? defaultAuditRetentionDays : auditRetentionOf(String(text));
  if (days === undefined) throw new Error('the setting auditRetentionDays must be a whole number from 1 to 36500');
  return days;
}

/** A context value is a boolean in `cdk.json` and a string on the command line. */
function isOn(name: string, value: string | undefined): boolean {
  const text = String(value ?? false);
  if (text !== 'true' && text !== 'false') throw new Error(`the setting ${name} must be true or false`);
  return text === 'true';
}

function domainOf(name: string | undefined, certificate: string | undefined): Domain | undefined {
  if (name !== undefined && certificate !== undefined) return { name, certificate };
  if (name === certificate) return undefined;
  throw new Error('the settings domain and certificate must be set together');
}

if (import.meta.main) {
  const app = new App();
  // `-c bundle=false` uses the bundles of an earlier `npm run build`.
  if (app.node.tryGetContext('bundle') !== 'false') await bundle();
  addOnboarding(app, bundleDirectory);
  app.synth();
}
