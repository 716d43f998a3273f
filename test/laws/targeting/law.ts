import { readEvents } from '../../../lib/store/events/event-log.ts';
import { loadTargeting } from '../../../lib/store/targeting/rules.ts';
import type { World } from '../events/world.ts';
import { type CampaignName, campaignNames, campaigns, holding, type NaiveAccount } from './campaigns.ts';
import { type History, isOpenFirst, type StoredNow } from './history.ts';
import type { FaultKind } from './settings.ts';

type Simulated = World<FaultKind>;

/**
 * What is asked at rest. `changed`: of what began to hold after the last change of its campaign, for which a mark is
 * enough. `fresh`: of everybody for whom a rule is, after the daily judgement. `everybody`: also of those who were there
 * before, after the rule reached back.
 */
export type Asked = 'changed' | 'fresh' | 'everybody';

/** At rest, everybody for whom a rule holds has what it gives (contract, section 14). What is started is examined when it is. */
export async function examineRest(world: Simulated, history: History, people: readonly string[], asked: Asked) {
  const { rules } = await loadTargeting(world.table.model, world.team);
  for (const name of campaignNames) {
    const rule = rules.find(({ template_id }) => template_id === campaigns[name].id);
    const { isTargeting, since } = history.rules[name];
    if ((rule?.live ?? false) !== isTargeting) world.violation(`the rule of ${name} is noted as live: ${rule?.live}`);
    if (isTargeting && rule?.since !== since) world.violation(`${name} is live since ${since}, and has ${rule?.since}`);
    for (const contactId of people) {
      const person = history.person(contactId);
      if (!person || !rule || !isTargeting) continue;
      for (const lack of lacking(world, history, person, name, rule.revision, asked)) {
        world.violation(`${name} holds for ${contactId}, who lacks ${lack} (${asked})`);
      }
    }
  }
}

function lacking(
  world: Simulated,
  history: History,
  person: StoredNow,
  name: CampaignName,
  revision: string,
  asked: Asked,
): string[] {
  const { id: templateId, strategy } = campaigns[name];
  const { form, since, changedAt } = history.rules[name];
  const isHeld = history.rules.first.isTargeting && person.journeys.some((each) => isOpenFirst(each, world.clock));
  if (isHeld && name !== 'first') return [];
  const isAsked = (account: NaiveAccount | null) => {
    const from = history.holdsFrom(person.contactId, name, form, account?.id ?? null) ?? 0;
    // What was held back when a campaign changed is judged daily.
    const isChanged = from > changedAt && from > history.rules.first.changedAt;
    const isFresh = (account?.storedAt ?? person.insertedAt) >= since;
    return asked === 'everybody' || (isFresh && (asked === 'fresh' || isChanged));
  };
  const all = holding(name, form, person);
  const fresh = all.filter(isAsked);
  const textOf = (account: NaiveAccount | null) => `one about ${account?.id ?? null}`;
  if (strategy === 'NO_JOURNEY') {
    const has = (account: NaiveAccount | null) =>
      person.notes.some((note) => note.template_id === templateId && note.account_id === (account?.id ?? null));
    return fresh.filter((account) => !has(account)).map(textOf);
  }
  const own = person.journeys.filter(({ journey }) => journey.template_id === templateId);
  const isOfAccounts = campaigns[name].forms[form]!.isOfAccounts;
  const reopened = own.filter(({ journey }) => {
    const isAbout = ({ id }: NaiveAccount) => journey.account_id === null || id === journey.account_id;
    const isMeant = isOfAccounts ? all.some((account) => isAbout(account!)) : all.length > 0;
    return journey.is_undone && journey.rule?.revision !== revision && isMeant;
  });
  if (reopened.length > 0 && asked !== 'changed') return reopened.map(({ journey }) => `${journey.id}, reopened`);
  if (strategy === 'ONE_FOR_ALL') return own.length === 0 ? fresh.slice(0, 1).map(textOf) : [];
  const has = (account: NaiveAccount | null) =>
    own.some(({ journey }) => journey.account_id === null || journey.account_id === account?.id);
  return fresh.filter((account) => !has(account)).map(textOf);
}

/** Each fact is one event, and nobody has two journeys where one is enough. */
export async function examineTold(world: Simulated, history: History, people: readonly string[]): Promise<void> {
  const { events } = await readEvents(world.table.model, world.team, { seq: 1, index: 0 }, 100_000);
  const distinct = [...new Map(events.map((event) => [event.id, event])).values()];
  const types = new Set(history.told.map(({ type }) => type));
  const told = distinct
    .filter(({ type }) => types.has(type) || type.startsWith('contact.targeted'))
    .map(({ type, contact_id, journey_id, template_id, account_id }) => {
      const subject = journey_id ?? [template_id, account_id].filter((part) => part).join('#');
      return `${type} ${contact_id} ${subject}`;
    });
  const happened = history.told.map(({ type, contactId, subject }) => `${type} ${contactId} ${subject}`);
  const [a, b] = [countsOf(told), countsOf(happened)];
  for (const name of new Set([...a.keys(), ...b.keys()])) {
    if (a.get(name) !== b.get(name)) {
      world.violation(`${name} happened ${b.get(name) ?? 0} times, and was told ${a.get(name) ?? 0} times`);
    }
  }
  for (const contactId of people) {
    const person = history.person(contactId);
    for (const { journey } of person?.journeys ?? []) {
      const isTwice = person!.journeys.some(
        ({ journey: other }) =>
          other.id !== journey.id &&
          other.template_id === journey.template_id &&
          other.account_id === journey.account_id,
      );
      if (isTwice)
        world.violation(`${contactId} has two journeys of ${journey.template_id} about ${journey.account_id}`);
    }
  }
}

const countsOf = (names: readonly string[]): Map<string, number> => {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
};

/** An erasure leaves nothing of targeting. Links can wait for a contact that is created later, and events are kept. */
export function examineErased({ table, team, violation }: Simulated, contactId: string, say: typeof violation): void {
  const left = [...table.model.items.values()].filter(
    (item) =>
      item.pk !== `T#${team}#E` &&
      !item.sk.startsWith('ACCOUNT#') &&
      !item.pk.startsWith(`T#${team}#A#`) &&
      JSON.stringify(item).includes(contactId),
  );
  for (const { pk, sk } of left) say(`${contactId} was erased, and ${pk} ${sk} is left`);
}
