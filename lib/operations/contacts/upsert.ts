import type { Call } from '../../domain/access/caller.ts';
import type { Contact } from '../../domain/contacts/contact.ts';
import {
  type ContactChange,
  changeToCheck,
  InvalidContact,
  identityOf,
  type ParsedContact,
} from '../../domain/contacts/contact-record.ts';
import type { ContactBatch, ShownContact } from '../../domain/contacts/contact-responses.ts';
import { strictErrors } from '../../domain/contacts/contact-strict.ts';
import { applyUpserts, withoutOptIn } from '../../domain/contacts/contact-upsert.ts';
import type { DeclaredLookup } from '../../domain/contacts/lookup.ts';
import { shownContactOf } from '../../domain/contacts/shown-contact.ts';
import { type ErrorDetail, judged, maxErrorDetails, Problem, validationFailed } from '../../domain/values/problem.ts';
import { timestamp } from '../../domain/values/timestamp.ts';
import { loadByUniqueId, type Resolved, writeContacts, writesOfContact } from '../../store/contacts/contacts.ts';
import { StoreUnavailable } from '../../store/table/database.ts';
import { untilAllWritten } from '../retry.ts';
import type { ContactService } from '../service.ts';
import { listedAmong } from '../suppression/suppress.ts';
import {
  type AskedJourney,
  importer,
  loadReferences,
  type References,
  templateErrors,
  templateOf,
} from './references.ts';

/** A contact that records name, with these records in their order, and the id that is stored with its write. */
type Target = { uniqueId: string; callId: string; records: { index: number; change: ContactChange }[] };

/** The result of the upsert of a target, before it is written. `errors` has the indexes of its invalid records. */
type Decision = {
  target: Target;
  resolved: Resolved;
  contact: Contact;
  created: boolean;
  /** Version of the contact after the write. */
  version: number;
  isToWrite: boolean;
  errors: [index: number, ErrorDetail[]][];
};

/**
 * Creates or updates a contact. The caller starts the journeys. If it fails before and the request is sent again, the contact
 * is unchanged, and the missing journeys are started.
 * @param where.path JSON Pointer of the record in its request
 * @param where.otherErrors errors in other parts of the request
 * @throws Problem `validation_failed`
 */
export async function upsertContact(
  service: ContactService,
  call: Call,
  record: ParsedContact,
  { path = '', otherErrors = [] }: { path?: string; otherErrors?: readonly ErrorDetail[] } = {},
): Promise<{ contact: ShownContact; version: number; created: boolean; journeys: AskedJourney[] }> {
  const request = { records: [record], pathOf: () => path, otherErrors, checkSize: () => {} };
  const { decisions, journeys } = await upsert(service, call, request);
  const { contact, created, version } = decisions[0]!;
  return { contact: shownContactOf(contact, { justCreated: created }), version, created, journeys };
}

/**
 * Upserts all contacts of the batch, or none if a record is invalid. The caller starts the journeys.
 * @param otherErrors errors in other parts of the request
 * @param fits false if the response would be too large
 * @throws Problem `validation_failed` with all errors of all records; `payload_too_large`, before anything is written,
 * if the response would be too large.
 */
export async function upsertBatch(
  service: ContactService,
  call: Call,
  records: readonly ParsedContact[],
  {
    otherErrors = [],
    fits = () => true,
  }: { otherErrors?: readonly ErrorDetail[] | undefined; fits?(batch: ContactBatch): boolean } = {},
): Promise<{ batch: ContactBatch; journeys: AskedJourney[] }> {
  const checkSize = (decisions: readonly Decision[]) => {
    if (!fits(batchOf(decisions))) throw new Problem('payload_too_large');
  };
  const pathOf = (index: number) => `/contacts/${index}`;
  const { decisions, journeys } = await upsert(service, call, { records, pathOf, otherErrors, checkSize });
  return { batch: batchOf(decisions), journeys };
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
  /** Errors in other parts of the request. */
  otherErrors: readonly ErrorDetail[];
  /** @throws Problem if the response to these decisions would be too large. Then nothing is written. */
  checkSize(decisions: readonly Decision[]): void;
};

/**
 * Reads, decides and writes what changed. Each write has the version that was read as its condition, and a lost race is
 * retried. The decisions are in the order in which the records first name their contacts.
 */
async function upsert(
  service: ContactService,
  call: Call,
  request: Request,
): Promise<{ decisions: Decision[]; journeys: AskedJourney[] }> {
  const { teamId } = call;
  const { content, now, newId } = service;
  const received = now();
  const targets = targetsOf(request.records, newId);
  // Read in parallel with the contacts.
  const references = loadReferences(content, teamId, request.records);
  const done = new Map<Target, Decision>();
  await untilAllWritten(service, 'too many conflicts on a contact', targets, async (pending) => {
    const [decisions, lookups] = await Promise.all([
      decide(service, teamId, pending, references, received, request),
      content.lookups(teamId),
    ]);
    if (done.size === 0) {
      checkErrors(request, await references, decisions, call.unused);
      request.checkSize(decisions);
    } else if (decisions.some(({ errors }) => errors.length > 0)) {
      // A part of the request is already written. If it is sent again, this error is found before anything is written.
      throw new StoreUnavailable('a concurrent write made a contact exceed its limits');
    }
    const saved = await save(service, call, decisions, lookups);
    for (const decision of saved) done.set(decision.target, decision);
    return pending.filter((target) => !done.has(target));
  });
  const decisions = targets.map((target) => done.get(target)!);
  return { decisions, journeys: journeysOf(decisions, await references) };
}

/** The journeys for which the records ask. */
function journeysOf(decisions: readonly Decision[], references: References): AskedJourney[] {
  return decisions.flatMap(({ target, contact }) => {
    const templates = target.records.flatMap(({ change }) => templateOf(change, references) ?? []);
    return [...new Set(templates)].map((template) => ({ contact, template }));
  });
}

function targetsOf(records: readonly ParsedContact[], newId: () => string): Target[] {
  const targets = new Map<string, Target>();
  for (const [index, record] of records.entries()) {
    // A valid record of an upsert has one.
    const uniqueId = identityOf(record);
    if (uniqueId === undefined) continue;
    const target = targets.get(uniqueId) ?? { uniqueId, callId: newId(), records: [] };
    target.records.push({ index, change: changeToCheck(record) });
    targets.set(uniqueId, target);
  }
  return [...targets.values()];
}

/** Leaves out the targets that were being renamed while they were read. */
async function decide(
  service: ContactService,
  teamId: string,
  targets: readonly Target[],
  references: Promise<References>,
  received: number,
  { pathOf }: Request,
): Promise<Decision[]> {
  const uniqueIds = targets.map(({ uniqueId }) => uniqueId);
  const [found, { objectives }] = await Promise.all([loadByUniqueId(service.database, teamId, uniqueIds), references]);
  const decisions = targets.flatMap((target) => {
    const resolved = found.get(target.uniqueId);
    if (!resolved) return [];
    const { uniqueId, records } = target;
    const context = {
      id: resolved.id,
      uniqueId,
      now: timestamp(received, records[0]!.index),
      objectives,
    };
    const changes = records.map(({ change }) => change);
    // An earlier round of this call created the contact and the response was lost: decide as then, and do not write
    // again. A contact that another target created can have this unique_id by now: it is an existing one.
    const isWritten = resolved.stored?.creationId === target.callId;
    const before = isWritten ? undefined : resolved.stored?.contact;
    const paths = records.map(({ index }) => pathOf(index));
    const upserted = judged(paths, () => applyUpserts(before, changes, context));
    // The same for an update: applied again, flags that contradict each other would take the other value.
    const isUpdated = before !== undefined && resolved.stored?.callId === target.callId;
    const { errors, changed, ...outcome } = isUpdated ? { ...upserted, contact: before, changed: false } : upserted;
    const invalid = records.map(({ index }, position): [number, ErrorDetail[]] => [index, errors[position]!]);
    const isToWrite = changed && !isWritten;
    const version = (before ? resolved.stored!.version : 0) + (changed ? 1 : 0);
    const failed = invalid.filter(([, each]) => each.length > 0);
    return [{ target, resolved, ...outcome, version, isToWrite, errors: failed }];
  });
  return withoutLeavers(service, teamId, decisions, received);
}

/** The decisions, with those who have left, or whose address is listed, not opted in. */
async function withoutLeavers(
  service: ContactService,
  teamId: string,
  decisions: readonly Decision[],
  received: number,
): Promise<Decision[]> {
  const optedIn = decisions.filter(({ contact }) => contact.email_opted_in === true);
  const staying = optedIn.filter(({ resolved }) => resolved.stored?.leftAt === undefined);
  const listed = await listedAmong(
    service,
    teamId,
    staying.map(({ contact }) => contact.email),
  );
  return decisions.map((decision) => {
    const { resolved, contact, created, target, isToWrite } = decision;
    const { stored } = resolved;
    const isOut = stored?.leftAt !== undefined || (contact.email !== null && listed.has(contact.email));
    if (contact.email_opted_in !== true || !isOut) return decision;
    const before = created ? undefined : stored?.contact;
    const { changed, ...outcome } = withoutOptIn(before, decision, timestamp(received, target.records[0]!.index));
    // What an earlier round of this call created is decided as then, and not written again.
    const isWritten = created && !isToWrite;
    return {
      ...decision,
      ...outcome,
      version: (created ? 0 : stored!.version) + (changed ? 1 : 0),
      isToWrite: changed && !isWritten,
    };
  });
}

/** @throws Problem `validation_failed` with all errors of all records, in the order of the records. */
function checkErrors(
  { records, pathOf, otherErrors }: Request,
  references: References,
  decisions: readonly Decision[],
  unused: Call['unused'],
): void {
  const mergeErrors = new Map(decisions.flatMap(({ errors }) => errors));
  const errors: ErrorDetail[] = [];
  for (const [index, record] of records.entries()) {
    const own = record instanceof InvalidContact ? record.errors : [];
    const path = pathOf(index);
    const strict = unused?.refused(path, () => strictErrors(record, references.objectives)) ?? [];
    const rules = [...templateErrors(record, references), ...(mergeErrors.get(index) ?? [])];
    const at = (error: ErrorDetail) => ({ ...error, path: path + error.path });
    for (const each of [...own.map(at), ...strict, ...rules.map(at)]) errors.push(each);
    if (errors.length >= maxErrorDetails) break;
  }
  if (otherErrors.length + errors.length > 0) throw validationFailed([...otherErrors, ...errors]);
}

/** Writes the decisions. @returns those that are final: nothing had to be written, or the write succeeded. */
async function save(
  { database }: ContactService,
  { teamId, clientId: writer = importer, source }: Call,
  decisions: readonly Decision[],
  lookups: readonly DeclaredLookup[],
): Promise<Decision[]> {
  const toWrite = decisions.filter(({ isToWrite }) => isToWrite);
  const written = await writeContacts(
    database,
    toWrite.map(({ contact, resolved, target: { callId } }) =>
      writesOfContact(teamId, contact, resolved.stored, lookups, { writer, callId, source }),
    ),
  );
  return [...decisions.filter(({ isToWrite }) => !isToWrite), ...toWrite.filter((_, index) => written[index])];
}
