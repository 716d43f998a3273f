import { uuidOf } from '../events/world.ts';

/** The campaigns of the simulation, and what their rules mean, written without the code of the service. */

/** What a rule is judged on. The types of products are fixed by their codes. */
export type NaiveAccount = { id: string; type: string; isClosed: boolean; storedAt: string };
export type NaivePerson = { name: string | null; accounts: readonly NaiveAccount[] };

type Form = {
  groups: readonly object[];
  /** The rule is judged for each account. */
  isOfAccounts: boolean;
  holds(person: NaivePerson, account: NaiveAccount | null): boolean;
};

export const productTypes: Readonly<Record<string, string>> = { C: 'checking', S: 'savings' };

const ofProducts = (...types: string[]): Form => ({
  groups: [{ name: types.join(), conditions: [{ field: 'product.type', operator: 'one_of', value: types }] }],
  isOfAccounts: true,
  holds: (_, account) => account !== null && types.includes(account.type),
});
const named = (name: string) => ({ field: 'contact.name_first', operator: 'equals', value: name });
const isSavings = { field: 'product.type', operator: 'equals', value: 'savings' };

const ofName = (name: string): Form => ({
  groups: [{ name, conditions: [named(name)] }],
  isOfAccounts: false,
  holds: (person) => person.name === name,
});

export const campaigns = {
  all: { id: uuidOf(20), strategy: 'ONE_FOR_ALL', forms: [ofProducts('checking'), ofProducts('savings')] },
  each: { id: uuidOf(21), strategy: 'ONE_FOR_ONE', forms: [ofProducts('checking'), ofProducts('checking', 'savings')] },
  note: { id: uuidOf(22), strategy: 'NO_JOURNEY', forms: [ofName('Ann'), ofProducts('checking')] },
  first: {
    ...{ id: uuidOf(23), strategy: 'ONE_FOR_ALL' },
    forms: [
      ofName('Eva'),
      {
        groups: [{ name: 'no savings', conditions: [named('Ann'), { has_no_account: [isSavings] }] }],
        isOfAccounts: false,
        holds: ({ name, accounts }) =>
          name === 'Ann' && !accounts.some(({ type, isClosed }) => type === 'savings' && !isClosed),
      },
    ],
  },
} satisfies Record<string, { id: string; strategy: string; forms: readonly Form[] }>;

export type CampaignName = keyof typeof campaigns;
export const campaignNames = Object.keys(campaigns) as CampaignName[];
export const campaignOf = (templateId: string): CampaignName | undefined =>
  campaignNames.find((name) => campaigns[name].id === templateId);
export const pageOf = (name: CampaignName): string => uuidOf(30 + campaignNames.indexOf(name));

/** What the administrator decides about a campaign. */
export type Decision = { isLive: boolean; isMuted: boolean; form: number };

export const templateOf = (name: CampaignName, { isLive, isMuted, form }: Decision, duration: number) => ({
  ...{ id: campaigns[name].id, name, status: isLive ? 'live' : 'draft', is_muted: isMuted },
  journey_creation_strategy: campaigns[name].strategy,
  targeting_groups: campaigns[name].forms[form]!.groups,
  ...(name === 'first' ? { is_targeting_priority: true, journey_duration_hours: duration } : {}),
  template_pages: [
    { id: uuidOf(40 + campaignNames.indexOf(name)), page: { id: pageOf(name), completion_condition: 'view' } },
  ],
});

/** The decision that is stored, from the template as it is stored. */
export function decisionOf(name: CampaignName, stored: Record<string, unknown>): Decision {
  const [group] = stored.targeting_groups as { name: string }[];
  const form = campaigns[name].forms.findIndex(({ groups }) => (groups[0] as { name: string }).name === group?.name);
  return { isLive: stored.status === 'live', isMuted: stored.is_muted === true, form };
}

/** The accounts, or the contact without one, for which the rule holds. Closed accounts are left out. */
export function holding(name: CampaignName, form: number, person: NaivePerson): (NaiveAccount | null)[] {
  const { isOfAccounts, holds } = campaigns[name].forms[form] as Form;
  const subjects = isOfAccounts ? person.accounts.filter(({ isClosed }) => !isClosed) : [null];
  return subjects.filter((account) => holds(person, account));
}
