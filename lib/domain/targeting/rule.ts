import { isArchived } from '../campaigns/shown-template.ts';
import { hasRule } from '../campaigns/targeting-rule.ts';
import type { Template } from '../campaigns/template.ts';
import { isPublished, type PublicationState } from '../journeys/completion.ts';

/** The rule of a template, in the form in which it is judged (contract, section 14). */
export type Rule = {
  template: Template;
  /** A digest of what makes the rule another one. */
  revision: string;
  /**
   * The rule is for accounts, or contacts if it names no account, that were first stored at this time or later; an empty
   * text: for all.
   */
  since: string;
};

type RunningFields = Pick<Template, 'status' | 'is_muted' | 'is_archived' | 'archived_at'>;

/** True for a live template that is neither archived nor muted. */
export const isRunning = (template: RunningFields): boolean =>
  template.status === 'live' && !isArchived(template) && template.is_muted !== true;

type TargetingFields = RunningFields &
  Pick<Template, 'targeting_groups'> & { template_pages: readonly { page: PublicationState }[] };

/** True if targeting starts journeys of the template. */
export const isTargeting = (template: TargetingFields): boolean =>
  hasRule(template) && isRunning(template) && template.template_pages.some(({ page }) => isPublished(page));

/** True if targeting starts no other template for a contact while it has an open journey of this one. */
export const hasPriority = (template: RunningFields & Pick<Template, 'is_targeting_priority'>): boolean =>
  template.is_targeting_priority === true && isRunning(template);
