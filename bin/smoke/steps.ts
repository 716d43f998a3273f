import type { Step } from './step.ts';
import { campaignSteps, documentSteps } from './steps/campaigns.ts';
import { channelSteps } from './steps/channels.ts';
import { contactSteps } from './steps/contacts.ts';
import { dropBoxSteps } from './steps/drop-box.ts';
import { importSteps } from './steps/imports.ts';
import { journeySteps } from './steps/journeys.ts';
import { rareSteps } from './steps/rare.ts';
import { rotationSteps, tokenSteps } from './steps/tokens.ts';

/** Every step of the walk, in its order. */
export const steps: readonly Step[] = [
  ...documentSteps,
  ...tokenSteps,
  ...contactSteps,
  ...campaignSteps,
  ...journeySteps,
  ...channelSteps,
  ...importSteps,
  ...dropBoxSteps,
  ...rareSteps,
  ...rotationSteps,
];
