import { App } from 'aws-cdk-lib';
import { addOnboarding } from '../../infra/app.ts';
import { bundleDirectory } from '../../infra/bundle.ts';
import { settingsOf } from '../../infra/settings.ts';
import { stages } from '../../infra/stages.ts';

/** The app of the stage `development` with the settings in the context `settings`, and the bundles of the last synthesis. */
const app = new App();
const settings = JSON.parse(String(app.node.tryGetContext('settings')));
addOnboarding(app, bundleDirectory, settingsOf({ development: { ...stages.development, ...settings } }, 'development'));
app.synth();
