import type { Template } from '../../../lib/domain/campaigns/template.ts';
import { shownContactOf } from '../../../lib/domain/contacts/shown-contact.ts';
import type { Analytics } from '../../../lib/domain/journeys/completion.ts';
import { stateOf } from '../../../lib/domain/journeys/journey.ts';
import { publishedPages } from '../../../lib/domain/journeys/journey-page.ts';
import { notFound } from '../../../lib/domain/values/problem.ts';
import { listJourneys } from '../../../lib/operations/journeys/list.ts';
import { type Link, loadAccounts } from '../../../lib/store/accounts/accounts.ts';
import { loadByUniqueId, type StoredContact } from '../../../lib/store/contacts/contacts.ts';
import { loadErasureRequest } from '../../../lib/store/erasure/erasure-requests.ts';
import { loadErasure } from '../../../lib/store/erasure/erasures.ts';
import { loadPersonItems, personOf } from '../../../lib/store/erasure/person-items.ts';
import { type JourneyWithActions, journeysOf } from '../../../lib/store/journeys/journeys.ts';
import type { Database } from '../../../lib/store/table/database.ts';
import { isJourneyKey, uniqueIdDigest } from '../../../lib/store/table/keys.ts';
import { withReaders } from '../campaigns/readers.ts';
import { failure } from '../failure.ts';
import type { Installation } from '../installation.ts';
import { messagesOf } from '../operations/messages/messages.ts';
import { explainPerson } from '../operations/targeting/explain.ts';
import { pageTitle } from '../results/results-csv.ts';
import { outcomeTexts } from '../targeting/texts.ts';
import { leavingOf } from './leaving.ts';
import { obstacleOf } from './obstacle.ts';

/** @throws Problem `not_found`. @throws AdminFailure `erased` */
export async function personNamed(installation: Installation, teamId: string, uniqueId: string) {
  const found = (await loadByUniqueId(installation.database, teamId, [uniqueId])).get(uniqueId)?.stored;
  if (!found) throw await erasedOrUnknown(installation, teamId, uniqueId);
  return shownPerson(installation, teamId, found);
}

/** All that somebody with the person on the phone has to know. The completions that it shows are recorded. */
async function shownPerson(installation: Installation, teamId: string, found: StoredContact) {
  const { database } = installation;
  const { id, unique_id } = found.contact;
  const service = withReaders(installation);
  const progress = new Map((await listJourneys(service, teamId, id)).map((each) => [each.id, each.analytics_cache]));
  const items = await loadPersonItems(database, teamId, id);
  const person = personOf(items);
  const { templates, team } = await service.content.current(teamId);
  const templateOf = (templateId: string) => templates.find((template) => template.id === templateId);
  const journeys = journeysOf(items.map(({ item }) => item).filter(isJourneyKey));
  const leaving = await leavingOf(installation, teamId, found, person.earlierConsent);
  const listed = leaving.suppression.map((each) => each.for);
  const suppression = { marketing: listed.length > 0, all: listed.includes('all') };
  const known = { templates, team, journeys, contact: found.contact, suppression, now: installation.now() };
  const messages = (await installation.suppression()) ? await messagesOf(service, teamId, unique_id, {}) : [];
  return {
    ...shownContactOf(found.contact),
    accounts: await accountsOf(database, teamId, person.links),
    journeys: journeys.map((each) => {
      const { template_id, id: journeyId } = each.journey;
      return { ...shownOf(each), ...progressIn(templateOf(template_id), progress.get(journeyId)) };
    }),
    answers: answersIn(person, templates),
    messages: messages.map((each) => ({ ...each, obstacle: obstacleOf(each, known) })),
    targeting: await targetingOf(service, teamId, unique_id),
    targeted: person.targeted.map((note) => {
      return { ...note, name: templateOf(note.template_id)?.name ?? note.template_id };
    }),
    ...leaving,
    erasure: await pendingErasure(database, teamId, found),
  };
}

/** The latest answer to each block, with all that was said, as `contact export` has it. */
function answersIn({ answers, responses }: ReturnType<typeof personOf>, templates: readonly Template[]) {
  const latest = new Set(answers.map(({ id }) => id));
  const pages = new Map(templates.flatMap(({ template_pages }) => template_pages.map(({ page }) => [page.id, page])));
  return responses
    .filter(({ id }) => latest.has(id))
    .map(({ at, page_id, block_id, block_type, answer, typed_name, values }) => {
      const page = pages.get(page_id);
      return { at, page_id, page: page ? pageTitle(page) : null, block_id, block_type, answer, typed_name, values };
    })
    .sort((a, b) => (a.at < b.at ? -1 : 1));
}

async function targetingOf(service: ReturnType<typeof withReaders>, teamId: string, uniqueId: string) {
  const explanation = await explainPerson(service, teamId, uniqueId);
  const texts = outcomeTexts(explanation);
  return explanation.templates.map(({ template, outcome }, at) => {
    return { template_id: template.id, name: template.name, outcome: outcome.kind, text: texts[at]! };
  });
}

export type ShownPerson = Awaited<ReturnType<typeof shownPerson>>;

/** `product` is `null` for an account that only mappings have named so far. */
export type LinkedAccount = { account_number: string; role: string | null; product: string | null };

async function accountsOf(database: Database, teamId: string, links: readonly Link[]): Promise<LinkedAccount[]> {
  const numbers = links.map(({ account_number }) => account_number);
  const stored = await loadAccounts(database, teamId, numbers);
  return links.map(({ account_number, role }, at) => {
    return { account_number, role, product: stored[at]?.product_code ?? null };
  });
}

/** A journey with the account that it is about, what started it, and its recorded state. */
const shownOf = ({ journey, actions }: JourneyWithActions) => {
  const { id, template_id, name, source, account_id, rule, inserted_at } = journey;
  return { id, template_id, name, source, account_id, rule, state: stateOf(journey, actions), inserted_at };
};

/** How many of the pages that have to be completed are, and which comes next. */
function progressIn(template: Template | undefined, analytics: Analytics | undefined) {
  if (!template || !analytics) return { pages: null, next_page: null, last_seen: null };
  const asked = publishedPages(template).filter(({ page }) => page.completion_condition !== null);
  const open = asked.filter(({ page }) => !analytics.pages_completed.includes(page.id));
  return {
    pages: { completed: asked.length - open.length, of: asked.length },
    next_page: open[0] ? pageTitle(open[0].page) : null,
    last_seen: analytics.last_viewed,
  };
}

/** What is known of the erasure of a contact that is still there. */
async function pendingErasure(database: Database, teamId: string, { contact }: StoredContact) {
  const request = await loadErasureRequest(database, teamId, contact.id);
  if (request?.inserted_at === contact.inserted_at) return { state: 'pending', since: request.requested_at };
  const begun = (await loadErasure(database, teamId, contact.unique_id))?.state;
  return begun ? { state: 'pending', since: begun.begun_at } : null;
}

/** Problem `not_found`, or says that there was such a person, if the list of erasures knows. */
async function erasedOrUnknown(installation: Installation, teamId: string, uniqueId: string): Promise<Error> {
  const begun = (await loadErasure(installation.database, teamId, uniqueId))?.state;
  if (begun) return failure('erased', `the person is being erased since ${begun.begun_at}`, '--unique-id');
  const digest = uniqueIdDigest(teamId, uniqueId);
  let last = '';
  for await (const { team_id, names, erased_at } of (await installation.erasures()).entries()) {
    if (team_id === teamId && names.some((name) => name.digest === digest) && erased_at > last) last = erased_at;
  }
  return last === '' ? notFound() : failure('erased', `the person was erased at ${last}`, '--unique-id');
}
