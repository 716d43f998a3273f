import { shownContactOf } from '../../../../lib/domain/contacts/shown-contact.ts';
import { timestamp } from '../../../../lib/domain/values/timestamp.ts';
import { findInFile, objectsOf, type Person } from '../../../../lib/operations/erasure/files.ts';
import { findPerson, lastOrder } from '../../../../lib/operations/erasure/names.ts';
import { batchPages, findInChunks, type NamedPerson } from '../../../../lib/operations/erasure/payloads.ts';
import type { Service } from '../../../../lib/operations/service.ts';
import { loadAccounts } from '../../../../lib/store/accounts/accounts.ts';
import type { DropBoxFiles } from '../../../../lib/store/drop-box/drop-box-files.ts';
import { listExpectedFiles } from '../../../../lib/store/drop-box/expected-files.ts';
import { loadPersonItems, personOf } from '../../../../lib/store/erasure/person-items.ts';
import { derivedAccountId } from '../../../../lib/store/table/ids.ts';

export type ExportService = Service & { files: DropBoxFiles; onProgress(text: string): void };

/** All stored data of the person with this `unique_id`, except the slugs, which open a page as that person. */
export async function exportPerson(service: ExportService, teamId: string, uniqueId: string) {
  const { database, now } = service;
  const { id, names } = await findPerson(service, teamId, uniqueId);
  const person = personOf(await loadPersonItems(database, teamId, id));
  const { stored } = person;
  const accounts = await loadAccounts(
    database,
    teamId,
    person.links.map(({ account_number }) => account_number),
  );
  return {
    unique_id: uniqueId,
    contact_id: id,
    exported_at: timestamp(now()),
    contact: stored ? shownContactOf(stored.contact) : null,
    identity_facts_changed: stored?.factsChange ?? null,
    objective_completions: stored?.contact.completions ?? {},
    ...consentOf(person),
    former_unique_ids: stored?.former ?? [],
    lookup_entries: Object.keys(stored?.entries ?? {}),
    links: person.links,
    accounts: accounts.flatMap((account, index) => {
      const { account_number } = person.links[index]!;
      return account ? [{ id: derivedAccountId(teamId, account_number), account_number, ...account }] : [];
    }),
    journeys: person.journeys.map(({ slug, ...journey }) => {
      const accountId = journey.is_one_for_one ? journey.account_id : undefined;
      const isIn = ({ template_id, account_id }: { template_id: string; account_id?: string }) =>
        template_id === journey.template_id && account_id === accountId;
      return { ...journey, actions: person.actions.filter(isIn), answers: person.answers.filter(isIn) };
    }),
    responses: person.responses,
    identity_attempts: person.attempts ?? null,
    targeting: { ...person.judged, targeted: person.targeted },
    messages: person.messages,
    verifications: person.verifications,
    message_times: person.messageTimes ?? {},
    chunk_records: await inChunks(service, teamId, {
      contact_id: id,
      names,
      order: await lastOrder(database, teamId),
    }),
    file_rows: await inFiles(service, teamId, {
      names,
      facts: stored?.contact,
      expected: await listExpectedFiles(database, teamId),
    }),
  };
}

/** Each change of the consent, oldest first, and when the contact left. */
const consentOf = ({ stored, earlierConsent }: ReturnType<typeof personOf>) => ({
  consent: [...earlierConsent, ...(stored?.consent ?? [])],
  left_at: stored?.leftAt ?? null,
});

async function inChunks(service: ExportService, teamId: string, person: NamedPerson & { order: number }) {
  const found = new Map<string, { batch_id: string; chunk_index: number; record_index: number }>();
  const progress = { batches: 0, chunks: 0 };
  for await (const { ids } of batchPages(service.database, teamId)) {
    for (const { chunk, indexes } of await findInChunks(service, teamId, ids, person, progress)) {
      for (const record_index of indexes) {
        const { batch_id, index: chunk_index, order } = chunk;
        found.set(`${order}#${record_index}`, { batch_id, chunk_index, record_index });
      }
    }
    service.onProgress(`${progress.chunks} chunks of ${progress.batches} batches searched`);
  }
  return [...found.values()];
}

async function inFiles({ files, onProgress }: ExportService, teamId: string, person: Person) {
  const rows: { key: string; version: string; line: number | null }[] = [];
  for (const object of await objectsOf(files, teamId)) {
    onProgress(`reading ${object.key}`);
    const hit = await findInFile(files, object, person);
    const { key, version } = object;
    if (hit?.holds === 'text') rows.push({ key, version, line: null });
    if (hit?.holds === 'rows') for (const line of hit.lines) rows.push({ key, version, line });
  }
  return rows;
}
