import { isSameText } from '../../auth/identity-proof.ts';
import type { Contact } from '../../domain/contact.ts';
import { type Attempts, attempted, type Lock, lockOf, noAttempts } from '../../domain/identity-attempts.ts';
import { type Answers, answerTo, type FactName, factsOf } from '../../domain/identity-facts.ts';
import { notFound } from '../../domain/problem.ts';
import { loadByUniqueId } from '../../store/contacts.ts';
import type { Database } from '../../store/database.ts';
import { loadAttempts, type StoredAttempts, saveAttempts } from '../../store/identity-checks.ts';
import { lostRace, type RetryDependencies, untilWritten } from '../retry.ts';

export type IdentityDependencies = RetryDependencies & {
  database: Database;
  /** Milliseconds since the epoch. */
  now(): number;
};

/** What a person is asked, and whether answers are taken now. Without facts there are too few on file to ask for. */
export type IdentityQuestion = { facts: readonly FactName[]; lock: Lock | undefined };

/**
 * Refused are answers that do not match, or were not compared: for a lock, or since those to the `missing` facts are no
 * answers at all, which counts as no attempt.
 */
export type IdentityRefusal = IdentityQuestion & { missing: readonly FactName[] };
export type IdentityOutcome = { result: 'proved' } | ({ result: 'refused' } & IdentityRefusal);

export async function askIdentity(
  { database, now }: Pick<IdentityDependencies, 'database' | 'now'>,
  teamId: string,
  contact: Contact,
): Promise<IdentityQuestion> {
  const facts = factsOf(contact).map(({ name }) => name);
  const { attempts } = await loadAttempts(database, teamId, contact.id);
  return { facts, lock: lockOf(attempts, now()) };
}

/**
 * Holds answers against the contact's file. The attempt is stored before they are compared, each under the version that
 * it was decided on, so that neither a crash nor any number of guesses at one moment gives one more than is allowed.
 */
export async function proveIdentity(
  dependencies: IdentityDependencies,
  teamId: string,
  contact: Contact,
  answers: Answers,
): Promise<IdentityOutcome> {
  const facts = factsOf(contact);
  const given = facts.map(({ name }) => ({ name, value: answerTo(name, answers) }));
  const refused = { result: 'refused' as const, facts: facts.map(({ name }) => name), lock: undefined, missing: [] };
  const missing = given.filter(({ value }) => value === undefined).map(({ name }) => name);
  if (facts.length === 0 || missing.length > 0) return { ...refused, missing };
  const attempt = await takeAttempt(dependencies, teamId, contact.id);
  if ('lock' in attempt) return { ...refused, lock: attempt.lock };
  if (!isSameText(textOf(facts), textOf(given))) {
    return { ...refused, lock: lockOf(attempt.attempts, dependencies.now()) };
  }
  await forgetAttempts(dependencies, teamId, contact.id);
  return { result: 'proved' };
}

/** One text for all of them: no single fact is ever held against the file. */
const textOf = (facts: readonly { value: string | undefined }[]): string =>
  JSON.stringify(facts.map(({ value }) => value));

type Attempt = { attempts: Attempts } | { lock: Lock };

/** Counts an attempt, unless none is taken. */
async function takeAttempt(dependencies: IdentityDependencies, teamId: string, contactId: string): Promise<Attempt> {
  return change(dependencies, teamId, contactId, ({ attempts }) => {
    const now = dependencies.now();
    const lock = lockOf(attempts, now);
    return lock ? { answer: { lock } } : { next: attempted(attempts, now) };
  });
}

async function forgetAttempts(dependencies: IdentityDependencies, teamId: string, contactId: string): Promise<void> {
  await change(dependencies, teamId, contactId, () => ({ next: noAttempts }));
}

/** Reads, decides and writes, until nobody comes between. */
async function change(
  dependencies: IdentityDependencies,
  teamId: string,
  contactId: string,
  decide: (stored: StoredAttempts) => { next: Attempts } | { answer: Attempt },
): Promise<Attempt> {
  const { database } = dependencies;
  return untilWritten(dependencies, 'the attempts are contended', async () => {
    const stored = await loadAttempts(database, teamId, contactId);
    const decision = decide(stored);
    if ('answer' in decision) return decision.answer;
    const isSaved = await saveAttempts(database, teamId, contactId, decision.next, stored);
    return isSaved ? { attempts: decision.next } : lostRace;
  });
}

/**
 * Lets a contact who used up all attempts, or must wait, try again.
 * @throws Problem `not_found` when the team has no such contact.
 */
export async function allowAttempts(
  dependencies: IdentityDependencies,
  teamId: string,
  uniqueId: string,
): Promise<{ id: string }> {
  const resolved = (await loadByUniqueId(dependencies.database, teamId, [uniqueId])).get(uniqueId);
  if (!resolved?.stored) throw notFound();
  await forgetAttempts(dependencies, teamId, resolved.id);
  return { id: resolved.id };
}
