import { App, Validations } from 'aws-cdk-lib';
import { AwsSolutionsChecks } from 'cdk-nag';
import { auditRetentionOf, defaultAuditRetentionDays } from '../lib/domain/audit-retention.ts';
import { isEmbedderSetting } from '../lib/domain/frame-ancestors.ts';
import { bundle, bundleDirectory } from './bundle.ts';
import type { Domain } from './constructs/api.ts';
import { OnboardingStack } from './onboarding-stack.ts';

/**
 * Adds the one stack, checked by the AWS Solutions rules: a finding ends the synthesis. Its settings are in the context
 * (`-c name=value`): `stack`, whose other names are second, independent services in the same account; `domain` and
 * `certificate`, an address of one's own; `table`, one that was restored from the backups; `docs`, the reference at `/docs`;
 * `frameAncestors`, the sites that may frame channel content; `auditRetentionDays`, how long the audit log is kept.
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
  if (!isEmbedderSetting(text)) throw new Error('the setting frameAncestors is * or origins, parted by one blank');
  return text;
}

function retentionOf(text: string | undefined): number {
  const days = text === undefined ? defaultAuditRetentionDays : auditRetentionOf(String(text));
  if (days === undefined) throw new Error('the setting auditRetentionDays is a number of days, from 1 to 36500');
  return days;
}

/** In a file the context has a boolean, on the command line a string. */
function isOn(name: string, value: string | undefined): boolean {
  const text = String(value ?? false);
  if (text !== 'true' && text !== 'false') throw new Error(`the setting ${name} is true or false`);
  return text === 'true';
}

function domainOf(name: string | undefined, certificate: string | undefined): Domain | undefined {
  if (name !== undefined && certificate !== undefined) return { name, certificate };
  if (name === certificate) return undefined;
  throw new Error('the settings domain and certificate go together');
}

if (import.meta.main) {
  const app = new App();
  // `-c bundle=false` takes the bundles as they lie there, of an earlier `npm run build`.
  if (app.node.tryGetContext('bundle') !== 'false') await bundle();
  addOnboarding(app, bundleDirectory);
  app.synth();
}
