import type { Contact } from '../../domain/contact.ts';
import { type ContactChange, InvalidContact, identityOf, type ParsedContact } from '../../domain/contact-record.ts';
import { applyUpserts } from '../../domain/contact-upsert.ts';
import type { DeclaredLookup } from '../../domain/lookup.ts';
import { type ErrorDetail, Problem, validationFailed } from '../../domain/problem.ts';
import { type ContactBatch, type ShownContact, shownContactOf } from '../../domain/shown-contact.ts';
import { timestamp } from '../../domain/timestamp.ts';
import { loadByUniqueId, type Resolved, writeOfContact } from '../../store/contacts.ts';
import { StoreUnavailable } from '../../store/database.ts';
import { type JourneyStart, startJourneys } from '../journeys/start.ts';
import { untilAllWritten } from '../retry.ts';
import type { ContactDependencies } from './dependencies.ts';
import { loadReferences, type References, templateErrors, templateOf } from './references.ts';

/** A contact that records name, with those records in their order. */
type Target = { uniqueId: string; records: { index: number; change: ContactChange }[] };

/** What is to become of a target. `faults` stand at the indexes of its records. */
type Decision = {
  target: Target;
  resolved: Resolved;
  contact: Contact;
  created: boolean;
  /** Of the contact as it is decided on. */
  version: number;
  isToWrite: boolean;
  errors: [index: number, ErrorDetail[]][];
};

/** When the call came, in milliseconds since the epoch, and what it marks the contacts with that it creates. */
type Call = { received: number; creationId: string };

/**
 * @param where.path of the record in its request @param where.beside faults of that request's other parts
 * @throws Problem `validation_failed`
 */
export async function upsertContact(
  dependencies: ContactDependencies,
  teamId: string,
  record: ParsedContact,
  { path = '', beside = [] }: { path?: string; beside?: readonly ErrorDetail[] } = {},
): Promise<{ contact: ShownContact; version: number; created: boolean }> {
  const request = { records: [record], pathOf: () => path, beside, accept: () => {} };
  const [decision] = await upsert(dependencies, teamId, request);
  const { contact, created, version } = decision!;
  return { contact: shownContactOf(contact, { justCreated: created }), version, created };
}

/**
 * All of the batch or, when a record has a fault, nothing of it.
 * @throws Problem `validation_failed` naming every bad record; `payload_too_large` before anything is written when
 * the answer does not fit.
 */
export async function upsertBatch(
  dependencies: ContactDependencies & { fits(batch: ContactBatch): boolean },
  teamId: string,
  records: readonly ParsedContact[],
): Promise<ContactBatch> {
  const accept = (decisions: readonly Decision[]) => {
    if (!dependencies.fits(batchOf(decisions))) throw new Problem('payload_too_large');
  };
  const pathOf = (index: number) => `/contacts/${index}`;
  return batchOf(await upsert(dependencies, teamId, { records, pathOf, beside: [], accept }));
}

const batchOf = (decisions: readonly Decision[]): ContactBatch => ({
  new_contacts: decisions
    .filter(({ created }) => created)
    .map(({ contact }) => shownContactOf(contact, { justCreated: true })),
  existing_contacts: decisions.filter(({ created }) => !created).map(({ contact }) => shownContactOf(contact)),
});

type Request = {
  records: readonly ParsedContact[];
  /** JSON Pointer of the record with this index. */
  pathOf(index: number): string;
  /** Faults that were found beside the records. */
  beside: readonly ErrorDetail[];
  /** Throws when what has been decided must not be written. */
  accept(decisions: readonly Decision[]): void;
};

/**
 * Reads, decides and writes what changed, each contact under the version that was read; who loses a race reads and
 * decides again. The decisions are in the order in which their contacts were first named.
 */
async function upsert(dependencies: ContactDependencies, teamId: string, request: Request): Promise<Decision[]> {
  const { content, now, newId } = dependencies;
  const call: Call = { received: now(), creationId: newId() };
  const targets = targetsOf(request.records);
  // Read beside the contacts.
  const references = loadReferences(content, teamId, request.records);
  const done = new Map<Target, Decision>();
  await untilAllWritten(dependencies, 'a contact is contended', targets, async (pending) => {
    const [decisions, lookups] = await Promise.all([
      decide(dependencies, teamId, pending, references, call),
      content.lookups(teamId),
    ]);
    if (done.size === 0) {
      refuseInvalid(request, await references, decisions);
      request.accept(decisions);
    } else if (decisions.some(({ errors }) => errors.length > 0)) {
      // A part of the request is written already. Sent again, it finds this fault before anything is.
      throw new StoreUnavailable('a contact grew beyond its limits meanwhile');
    }
    const standing = await save(dependencies, teamId, decisions, lookups, call);
    for (const decision of standing) done.set(decision.target, decision);
    return pending.filter((target) => !done.has(target));
  });
  const decided = targets.map((target) => done.get(target)!);
  await startJourneys(dependencies, teamId, startsOf(decided, await references));
  return decided;
}

/** Who fails between the contacts and these, and sends again, finds the contacts unchanged and starts what lacks. */
function startsOf(decisions: readonly Decision[], references: References): JourneyStart[] {
  return decisions.flatMap(({ target, contact }) => {
    const templates = target.records.flatMap(({ change }) => templateOf(change, references) ?? []);
    return [...new Set(templates)].map((template) => ({ contactId: contact.id, template, change: {} }));
  });
}

function targetsOf(records: readonly ParsedContact[]): Target[] {
  const targets = new Map<string, Target>();
  for (const [index, change] of records.entries()) {
    const uniqueId = change instanceof InvalidContact ? undefined : identityOf(change);
    if (change instanceof InvalidContact || uniqueId === undefined) continue;
    const target = targets.get(uniqueId) ?? { uniqueId, records: [] };
    target.records.push({ index, change });
    targets.set(uniqueId, target);
  }
  return [...targets.values()];
}

/** Leaves out the targets that were being renamed while they were read. */
async function decide(
  { database }: ContactDependencies,
  teamId: string,
  targets: readonly Target[],
  references: Promise<References>,
  { received, creationId }: Call,
): Promise<Decision[]> {
  const uniqueIds = targets.map(({ uniqueId }) => uniqueId);
  const [found, { objectives }] = await Promise.all([loadByUniqueId(database, teamId, uniqueIds), references]);
  return targets.flatMap((target) => {
    const resolved = found.get(target.uniqueId);
    if (!resolved) return [];
    const { uniqueId, records } = target;
    const context = { id: resolved.id, uniqueId, now: timestamp(received, records[0]!.index), objectives };
    const changes = records.map(({ change }) => change);
    // Created by this very call, by a write whose response was lost: decided as it was then, and not written again.
    const isWritten = resolved.stored?.creationId === creationId;
    const before = isWritten ? undefined : resolved.stored?.contact;
    const { errors, changed, ...outcome } = applyUpserts(before, changes, context);
    const invalid = records.map(({ index }, place): [number, ErrorDetail[]] => [index, errors[place]!]);
    const isToWrite = changed && !isWritten;
    const version = (before ? resolved.stored!.version : 0) + (changed ? 1 : 0);
    const refused = invalid.filter(([, each]) => each.length > 0);
    return [{ target, resolved, ...outcome, version, isToWrite, errors: refused }];
  });
}

/** @throws Problem with every fault of every record, in the order of the records. */
function refuseInvalid(
  { records, pathOf, beside }: Request,
  references: References,
  decisions: readonly Decision[],
): void {
  const merging = new Map(decisions.flatMap(({ errors }) => errors));
  const errors = records.flatMap((record, index) => {
    const own = record instanceof InvalidContact ? record.errors : [];
    const all = [...own, ...templateErrors(record, references), ...(merging.get(index) ?? [])];
    return all.map(({ path, message }) => ({ path: pathOf(index) + path, message }));
  });
  if (beside.length + errors.length > 0) throw validationFailed([...beside, ...errors]);
}

/** The decisions that stand: there was nothing to write, or it is written. */
async function save(
  { database }: ContactDependencies,
  teamId: string,
  decisions: readonly Decision[],
  lookups: readonly DeclaredLookup[],
  { creationId }: Call,
): Promise<Decision[]> {
  const writing = decisions.filter(({ isToWrite }) => isToWrite);
  const written = await database.write(
    writing.map(({ contact, resolved }) => writeOfContact(teamId, contact, resolved.stored, lookups, creationId)),
  );
  return [...decisions.filter(({ isToWrite }) => !isToWrite), ...writing.filter((_, index) => written[index])];
}
