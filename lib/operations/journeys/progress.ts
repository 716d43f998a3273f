import {
  type Analytics,
  analyticsOf,
  asksForAccounts,
  type Circumstances,
  type CompletionRule,
  type HeldProduct,
} from '../../domain/completion.ts';
import type { Template } from '../../domain/content/template.ts';
import type { Content, ContentCatalogue } from '../../store/content.ts';
import type { ContactFile, JourneyWithActions } from '../../store/journeys.ts';
import type { ProgressDependencies } from './dependencies.ts';

/** A journey beside the template that it is from, and how far it has come. */
export type JourneyProgress = JourneyWithActions & { template: Template; analytics: Analytics };

export const pagesOf = ({ template_pages }: Template): CompletionRule[] => template_pages.map(({ page }) => page);

/** Content of some seconds ago, unless it lacks the template of a journey. */
export async function contentFor(catalogue: ContentCatalogue, teamId: string, file: ContactFile): Promise<Content> {
  const content = await catalogue.load(teamId);
  return pairsOf(file, content).length === file.journeys.length ? content : catalogue.current(teamId);
}

/** The file's journeys, in its order, and how far each has come. */
export async function progressOf(
  dependencies: Pick<ProgressDependencies, 'catalogue'>,
  teamId: string,
  file: ContactFile,
  content: Content,
): Promise<JourneyProgress[]> {
  const pairs = pairsOf(file, content);
  const isAsked = pairs.some(({ template }) => asksForAccounts(pagesOf(template)));
  const circumstances: Omit<Circumstances, 'actions'> = {
    completions: file.contact.completions,
    held: isAsked ? await heldProducts(dependencies, teamId, file.links) : [],
    features: content.team?.features ?? [],
  };
  return pairs.map(({ template, ...journey }) => {
    const { actions } = journey;
    return { ...journey, template, analytics: analyticsOf(pagesOf(template), { ...circumstances, actions }) };
  });
}

/** The file's journeys, in its order, with their templates. */
export function pairsOf(
  { journeys }: ContactFile,
  { templates }: Content,
): (JourneyWithActions & { template: Template })[] {
  const found = new Map(templates.map((template) => [template.id, template]));
  return journeys.flatMap((journey) => {
    const template = found.get(journey.journey.template_id);
    return template ? [{ ...journey, template }] : [];
  });
}

/** The products of the accounts that are linked to the contact; a link to an account that is not there yet gives none. */
async function heldProducts(
  { catalogue }: Pick<ProgressDependencies, 'catalogue'>,
  teamId: string,
  links: ContactFile['links'],
): Promise<HeldProduct[]> {
  const numbers = links.map((link) => link.account_number);
  const accounts = await catalogue.accounts(teamId, numbers);
  return [...new Set(accounts.flatMap((found) => (found ? [found.product] : [])))];
}
