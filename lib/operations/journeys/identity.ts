import { isSameText } from '../../auth/identity-proof.ts';
import type { Contact } from '../../domain/contacts/contact.ts';
import { type Answers, answerTo, type FactName, factsOf } from '../../domain/contacts/identity-facts.ts';
import { type Attempts, attempted, type Lock, lockOf, noAttempts } from '../../domain/journeys/identity-attempts.ts';
import { notFound } from '../../domain/values/problem.ts';
import { isStored, loadByUniqueId } from '../../store/contacts/contacts.ts';
import { loadAttempts, type StoredAttempts, saveAttempts } from '../../store/journeys/identity-checks.ts';
import { StoreUnavailable } from '../../store/table/database.ts';
import { lostRace, untilWritten } from '../retry.ts';
import type { Service } from '../service.ts';

/** The facts that a person is asked for, and the lock, if answers are not accepted now. No facts: too few are known. */
export type IdentityQuestion = { facts: readonly FactName[]; lock: Lock | undefined };

/**
 * The answers did not match, or they were not compared because of a lock, or because the answers to the `missing` facts
 * are empty or not valid. The last case does not count as an attempt.
 */
export type IdentityRefusal = IdentityQuestion & { missing: readonly FactName[] };
export type IdentityOutcome = { result: 'proved' } | ({ result: 'refused' } & IdentityRefusal);

export async function askIdentity(
  { database, now }: Service,
  teamId: string,
  contact: Contact,
): Promise<IdentityQuestion> {
  const facts = factsOf(contact).map(({ name }) => name);
  const { attempts } = await loadAttempts(database, teamId, contact.id);
  return { facts, lock: lockOf(attempts, now()) };
}

/**
 * Compares the answers with the contact's data. The attempt is stored first, on the condition that the count has not
 * changed since it was read. So neither a crash nor concurrent requests allow more attempts than the limit.
 * @throws Problem `not_found` if the contact was erased since it was read
 */
export async function proveIdentity(
  service: Service,
  teamId: string,
  contact: Contact,
  answers: Answers,
): Promise<IdentityOutcome> {
  const facts = factsOf(contact);
  const given = facts.map(({ name }) => ({ name, value: answerTo(name, answers) }));
  const refused = { result: 'refused' as const, facts: facts.map(({ name }) => name), lock: undefined, missing: [] };
  const missing = given.filter(({ value }) => value === undefined).map(({ name }) => name);
  if (facts.length === 0 || missing.length > 0) return { ...refused, missing };
  const attempt = await countAttempt(service, teamId, contact);
  if ('lock' in attempt) return { ...refused, lock: attempt.lock };
  if (!isSameText(textOf(facts), textOf(given))) {
    return { ...refused, lock: lockOf(attempt.attempts, service.now()) };
  }
  await resetAttempts(service, teamId, contact);
  return { result: 'proved' };
}

/** One text for all facts, so that no fact is ever compared alone. */
const textOf = (facts: readonly { value: string | undefined }[]): string =>
  JSON.stringify(facts.map(({ value }) => value));

type Attempt = { attempts: Attempts } | { lock: Lock };

/** Counts an attempt, or returns the lock if attempts are not accepted. */
async function countAttempt(service: Service, teamId: string, contact: Contact): Promise<Attempt> {
  return changeAttempts(service, teamId, contact, ({ attempts }) => {
    const now = service.now();
    const lock = lockOf(attempts, now);
    return lock ? { result: { lock } } : { next: attempted(attempts, now) };
  });
}

async function resetAttempts(service: Service, teamId: string, contact: Contact): Promise<void> {
  await changeAttempts(service, teamId, contact, () => ({ next: noAttempts }));
}

/** Reads, decides and writes; a lost race is retried. @throws Problem `not_found` if the contact was erased */
async function changeAttempts(
  service: Service,
  teamId: string,
  contact: Contact,
  decide: (stored: StoredAttempts) => { next: Attempts } | { result: Attempt },
): Promise<Attempt> {
  const { database } = service;
  return untilWritten(service, 'too many conflicts on the attempts', async (round) => {
    if (round > 0 && !(await isStored(database, teamId, contact))) throw notFound();
    const stored = await loadAttempts(database, teamId, contact.id);
    const decision = decide(stored);
    if ('result' in decision) return decision.result;
    const isSaved = await saveAttempts(database, teamId, contact, decision.next, stored);
    return isSaved ? { attempts: decision.next } : lostRace;
  });
}

/**
 * Deletes the attempts of a contact, so that a person who is locked out can try again.
 * @throws Problem `not_found` if the team has no such contact; `unavailable` during a rename.
 */
export async function allowAttempts(service: Service, teamId: string, uniqueId: string): Promise<{ id: string }> {
  const resolved = (await loadByUniqueId(service.database, teamId, [uniqueId])).get(uniqueId);
  if (!resolved) throw new StoreUnavailable('the contact is being renamed');
  if (!resolved.stored) throw notFound();
  await resetAttempts(service, teamId, resolved.stored.contact);
  return { id: resolved.id };
}
