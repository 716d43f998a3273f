import { errorFields } from '../domain/values/problem.ts';
import type { TargetingService } from '../operations/targeting/judge-contacts.ts';
import { logger, metricFields } from './base.ts';
import { journeyService } from './content.ts';

const passedOver = () => metricFields([{ function: 'targeting-worker' }], { targeting_passed_over: 1 });

/** For the function that judges contacts. */
export const targetingService = (team_id: string): TargetingService => ({
  ...journeyService(),
  onRuleFailure: (error, template_id, contact_id) =>
    logger().error('a rule was not judged for a contact: the code failed on it', {
      ...{ team_id, template_id, contact_id, ...errorFields(error), ...passedOver() },
    }),
  onPassedOver: (error, contact_id) =>
    logger().error('a contact was not judged: the code failed on it', {
      ...{ team_id, contact_id, ...errorFields(error), ...passedOver() },
    }),
});
