import { type Analytics, analyticsOf } from '../../../lib/domain/completion.ts';
import { type Contact, noDetails } from '../../../lib/domain/contact.ts';
import { linked } from '../../../lib/domain/content/link.ts';
import type { TemplatePage } from '../../../lib/domain/content/page.ts';
import type { Template } from '../../../lib/domain/content/template.ts';
import { type IdentityNeed, identityNeed } from '../../../lib/domain/identity-need.ts';
import { applyJourney, type Journey } from '../../../lib/domain/journey.ts';
import type { JsonValue } from '../../../lib/domain/json.ts';
import { accountFor, type LinkedAccount } from '../../../lib/domain/linked-account.ts';
import { notFound } from '../../../lib/domain/problem.ts';
import { languageFor, type Team } from '../../../lib/domain/team.ts';
import { timestamp } from '../../../lib/domain/timestamp.ts';
import { accountsOf } from '../../../lib/operations/journeys/progress.ts';
import { loadByUniqueId } from '../../../lib/store/contacts.ts';
import { shownTeamOf } from '../../../lib/store/content.ts';
import { loadContactAggregate } from '../../../lib/store/journeys.ts';
import type { ProductCache } from '../../../lib/store/products.ts';
import { loadTeam } from '../../../lib/store/teams.ts';
import { type CheckContentDependencies, checkContent } from './content.ts';

export type PreviewDependencies = CheckContentDependencies & { productCache: ProductCache };

/** A page as a person sees it at the beginning of a journey, once the identity is proved. */
export type PagePreview = {
  /** From 1: which template of the document, and which of its pages. */
  templateNumber: number;
  pageNumber: number;
  language: string | null;
  journey: Journey;
  template: Template;
  published: TemplatePage[];
  pages: TemplatePage[];
  shown: TemplatePage;
  analytics: Analytics;
  answers: [];
  contact: Contact;
  account: LinkedAccount | undefined;
  isIdentityValidated: true;
  identityNeed: IdentityNeed | undefined;
};

/** Whose values the pages show. */
type Person = { contact: Contact; accounts: readonly LinkedAccount[] };

/**
 * The pages of the document's templates, as they would be after its import; nothing is written. Drafts are among them,
 * archived pages are not.
 * @param uniqueId of the contact whose values the pages show; without it, a sample's
 * @throws Problem `validation_failed` naming every fault; `not_found` when there is no such team or contact
 */
export async function previewContent(
  dependencies: PreviewDependencies,
  teamId: string,
  value: JsonValue,
  uniqueId: string | undefined,
): Promise<PagePreview[]> {
  const { content, global, given } = await checkContent(dependencies, teamId, value);
  const now = timestamp(dependencies.now());
  const [loaded, person] = await Promise.all([
    loadTeam(dependencies.database, teamId),
    uniqueId === undefined ? { contact: sampleContact(now), accounts: [] } : personOf(dependencies, teamId, uniqueId),
  ]);
  // A team that does not exist has no content to check.
  const team = loaded!;
  const { templates } = linked(content, global, { teamId, team: shownTeamOf(team) });
  return given.templates.flatMap(({ id }, index) => {
    const template = templates.find((each) => each.id === id)!;
    return pagesOf(template, team, person, now).map((page) => ({ ...page, templateNumber: index + 1 }));
  });
}

function pagesOf(
  template: Template,
  team: Team,
  { contact, accounts }: Person,
  now: string,
): Omit<PagePreview, 'templateNumber'>[] {
  const slug = 'preview';
  const { journey } = applyJourney(undefined, {}, { id: slug, slug, contactId: contact.id, template, now });
  const pages = template.template_pages.filter(({ page }) => !page.is_archived);
  const circumstances = { completions: contact.completions, held: accounts, features: team.features };
  const rules = pages.map(({ page }) => page);
  const analytics = analyticsOf(rules, { ...circumstances, actions: [], startedAt: now });
  return pages.map((shown, index) => ({
    ...{ journey, template, published: pages, pages, shown, analytics, answers: [], contact },
    pageNumber: index + 1,
    language: languageFor(template, team),
    account: accountFor(shown.page, accounts, team.features, now),
    isIdentityValidated: true,
    identityNeed: identityNeed(template, shown, index === 0),
  }));
}

async function personOf(
  { database, productCache }: PreviewDependencies,
  teamId: string,
  uniqueId: string,
): Promise<Person> {
  const found = (await loadByUniqueId(database, teamId, [uniqueId])).get(uniqueId)?.stored;
  const aggregate = found && (await loadContactAggregate(database, teamId, found.contact.id));
  if (!aggregate) throw notFound();
  return { contact: aggregate.contact, accounts: await accountsOf({ productCache }, teamId, aggregate.links)() };
}

/** The person whose content a preview shows if no contact is named. */
export const sampleContact = (now: string): Contact => ({
  ...noDetails,
  id: 'sample',
  unique_id: 'sample',
  name_first: 'Alex',
  name_last: 'Sample',
  address: '1 Sample Street',
  city: 'Sampleton',
  post_code: '00000',
  email: 'alex@example.com',
  phone_mobile: '+15550100100',
  birthdate: '1990-01-31',
  inserted_at: now,
  updated_at: now,
});
