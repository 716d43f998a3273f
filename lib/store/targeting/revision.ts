import { ruleForm } from '../../domain/campaigns/targeting-rule.ts';
import { digestOfBytes } from '../table/digest.ts';

/** The revision of the rule of a template: the same for the same groups, operator and strategy. */
export const revisionOf = (template: Parameters<typeof ruleForm>[0]): string =>
  digestOfBytes(Buffer.from(ruleForm(template)));
