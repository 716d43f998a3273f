import type { Template } from '../../domain/campaigns/template.ts';
import { stateAt } from '../../domain/journeys/journey-page.ts';
import type { Person, PersonAccount, PersonJourney } from '../../domain/targeting/person.ts';
import type { ProductCache } from '../../store/accounts/products.ts';
import type { JourneyWithActions } from '../../store/journeys/journeys.ts';
import type { Database, ReadOptions } from '../../store/table/database.ts';
import { derivedAccountId } from '../../store/table/ids.ts';
import { loadStoredPeople, type StoredPerson } from '../../store/targeting/person.ts';

export type PersonService = { database: Database; productCache: ProductCache; now(): number };

/** The templates of the team, which say when journeys expire. */
type Templates = { templates: readonly Pick<Template, 'id' | 'journey_duration_hours'>[] };

/** A person as rules see it, and the condition of what is decided for it. */
export type LoadedPerson = { person: Person; judged: number };

/**
 * These contacts in their order; `undefined` if there is no such contact. One query for each, and one read of all their
 * accounts, by default strongly consistent.
 */
export async function loadPeople(
  { database, productCache, now }: PersonService,
  teamId: string,
  contactIds: readonly string[],
  { templates }: Templates,
  options: ReadOptions = {},
): Promise<(LoadedPerson | undefined)[]> {
  const { people, accounts } = await loadStoredPeople(database, teamId, contactIds, options);
  const codes = new Set([...accounts.values()].map(({ account }) => account.product_code));
  const products = codes.size === 0 ? new Map() : await productCache.products(teamId, [...codes]);
  const accountsOf = ({ links }: StoredPerson) =>
    links.flatMap((link): PersonAccount[] => {
      const { account_number } = link;
      const stored = accounts.get(account_number);
      if (!stored) return [];
      const { account, insertedAt } = stored;
      const storedAt = insertedAt > link.inserted_at ? insertedAt : link.inserted_at;
      const product = products.get(account.product_code);
      return [{ account, id: derivedAccountId(teamId, account_number), link, product, storedAt }];
    });
  const hours = new Map(templates.map(({ id, journey_duration_hours }) => [id, journey_duration_hours]));
  return people.map((stored) => {
    if (!stored) return undefined;
    const { contact, tooManyAccounts, journeys, noted, judged } = stored;
    const person = {
      ...{ contact, tooManyAccounts, accounts: accountsOf(stored) },
      journeys: journeys.map((each) => personJourneyOf(each, hours.get(each.journey.template_id) ?? null, now())),
      noted,
    };
    return { person, judged };
  });
}

function personJourneyOf(stored: JourneyWithActions, hours: number | null, now: number): PersonJourney {
  const { id, template_id, account_id, source, inserted_at, is_undone: undone, rule } = stored.journey;
  const ids = { id, template_id, account_id };
  const state = stateAt({ journey_duration_hours: hours }, stored.journey, stored.actions, now);
  return { ...ids, state, undone, revision: rule?.revision ?? null, source, inserted_at };
}
