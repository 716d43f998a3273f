import { applyContent } from '../../../lib/content/apply.ts';
import { readDocument } from '../../../lib/content/read.ts';
import type { AccountFields } from '../../../lib/domain/accounts/account-fields.ts';
import { linked, noContent } from '../../../lib/domain/campaigns/link.ts';
import type { Template } from '../../../lib/domain/campaigns/template.ts';
import { type Contact, noDetails } from '../../../lib/domain/contacts/contact.ts';
import type { JudgingContext } from '../../../lib/domain/targeting/judgement.ts';
import type { Person, PersonAccount, PersonJourney } from '../../../lib/domain/targeting/person.ts';
import type { Rule } from '../../../lib/domain/targeting/rule.ts';
import type { JsonValue } from '../../../lib/domain/values/json.ts';
import type { Metadata } from '../../../lib/domain/values/metadata.ts';
import { id, teamId } from './content-documents.ts';

/** The day in UTC on which samples are judged. */
export const today = '2026-06-15';
/** A time before everything that is stored in the samples. */
export const before = '2026-01-01T00:00:00.000000Z';
/** When samples were stored. */
export const stored = '2026-06-01T00:00:00.000000Z';

/** The templates of a document, as a team with the objective `app_login` has them. */
export function templatesOf(...templates: object[]): Template[] {
  const objectives = [{ id: id(900), key: 'app_login' }];
  const { errors, document } = readDocument({ objectives, templates } as JsonValue);
  const context = {
    teamId,
    features: [],
    globalObjectives: [],
    idOf: (name: string) => name.replace('template:', ''),
    now: before,
  };
  const applied = applyContent(noContent, document!, context);
  if (errors.length > 0 || 'errors' in applied) throw new Error(JSON.stringify([errors, applied]));
  return linked(applied.content, noContent, { teamId, team: null }).templates;
}

/** A live campaign with a page. The name is its id, too. */
export const campaign = (name: string, fields: object = {}) => ({
  ...{ name, status: 'live', template_pages: [{ page: {} }] },
  ...fields,
});

/** A rule with one group of these conditions. */
export const groupOf = (...conditions: object[]) => ({ targeting_groups: [{ conditions }] });

export const isChecking = { field: 'product.type', operator: 'equals', value: 'checking' };
export const isOfPrague = { field: 'contact.city', operator: 'equals', value: 'Prague' };

export const ruleOf = (template: Template, fields: Partial<Rule> = {}): Rule => ({
  ...{ template, revision: 'r1', since: before },
  ...fields,
});

export const contextAt = (now: string, { timeZone = 'UTC', templates = [] as Template[] } = {}): JudgingContext => ({
  now: Date.parse(now),
  timeZone,
  content: {
    templates,
    objectives: [{ id: id(900), team_id: teamId, key: 'app_login', name: null, driver_id: null }],
  },
});
export const noon = contextAt(`${today}T12:00:00Z`);

export const personWith = (contact: Partial<Contact> = {}, fields: Partial<Person> = {}): Person => ({
  contact: {
    ...{ ...noDetails, id: id(1), unique_id: 'c-1', inserted_at: stored, updated_at: stored },
    ...contact,
  },
  ...{ accounts: [], tooManyAccounts: false, journeys: [], noted: [] },
  ...fields,
});

type AccountSample = Partial<Omit<PersonAccount, 'account' | 'link'>> & {
  fields?: AccountFields;
  role?: string | null;
  type?: string;
  meta_public?: Metadata;
};

/** An account with this number, which is its id, too. */
export const accountWith = (
  account_number: string,
  { fields = {}, role = null, type = 'checking', meta_public, ...others }: AccountSample = {},
): PersonAccount => ({
  id: account_number,
  account: { fields, product_code: 'P', meta_public: meta_public ?? null, meta_private: null },
  link: { account_number, role },
  product: { code: 'P', type, standardized_type: 'unknown', name: 'Product' },
  storedAt: stored,
  ...others,
});

export const journeyOf = (template_id: string, fields: Partial<PersonJourney> = {}): PersonJourney => ({
  ...{ id: `j-${template_id}`, template_id, account_id: null, state: 'open', undone: false, revision: null },
  ...{ source: 'api', inserted_at: stored },
  ...fields,
});
