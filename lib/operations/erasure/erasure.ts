import type { Contact } from '../../domain/contacts/contact.ts';
import { Problem } from '../../domain/values/problem.ts';
import { timestamp } from '../../domain/values/timestamp.ts';
import { loadContact } from '../../store/contacts/contacts.ts';
import { type ErasureState, erasureEnd, erasureWrite, loadErasure } from '../../store/erasure/erasures.ts';
import type { Write } from '../../store/table/database.ts';
import type { Service } from '../service.ts';
import { findPerson, lastOrder, settleNames } from './names.ts';

export type Counts = Record<string, number>;

/** What an erasure begins with if it repeats an earlier one. */
export type FirstErasure = Pick<ErasureState, 'contact_id' | 'contact_since' | 'names' | 'order' | 'first_erased_at'>;

/** True for a contact with the same id as the one whose erasure is repeated: it was not there when that one was erased. */
export const isOther = (
  contact: Pick<Contact, 'inserted_at'>,
  { first_erased_at, contact_since }: Pick<ErasureState, 'first_erased_at' | 'contact_since'>,
): boolean => first_erased_at !== undefined && contact.inserted_at !== contact_since;

/** @throws Problem `conflict` if the value does not name the contact with this id */
async function personToErase(service: Service, teamId: string, uniqueId: string, contactId?: string) {
  const { id, names } = await findPerson(service, teamId, uniqueId);
  if (contactId !== undefined && id !== contactId) throw renamed();
  return { contact_id: id, names, order: await lastOrder(service.database, teamId) };
}

export const renamed = () =>
  new Problem('conflict', [
    { path: '', message: 'the unique_id of the contact was changed: erase it by the new value' },
  ]);

/** A running erasure. Each of its writes is in one transaction with its state, so that counts are exact. */
export class Erasure {
  readonly service: Service;
  readonly teamId: string;
  readonly uniqueId: string;
  state: ErasureState;
  #version: number;

  private constructor(service: Service, teamId: string, uniqueId: string, state: ErasureState, version: number) {
    this.service = service;
    this.teamId = teamId;
    this.uniqueId = uniqueId;
    this.state = state;
    this.#version = version;
  }

  /**
   * Resumes an interrupted erasure, or starts a new one.
   * @param known of the first erasure, if an erasure is repeated after a restore; the id that the contact must have, if
   *   its erasure was requested by id
   */
  static async open(
    service: Service,
    teamId: string,
    uniqueId: string,
    known?: FirstErasure | { contact_id: string },
  ): Promise<Erasure> {
    const { database, now } = service;
    const stored = await loadErasure(database, teamId, uniqueId);
    const again = known && 'names' in known ? known : undefined;
    if (stored && known && !again && stored.state.contact_id !== known.contact_id) throw renamed();
    if (stored) {
      // Files that were dropped since the interruption are searched too, because they can create the contact again.
      const begun = stored.state.step === 'files' ? { begun_at: timestamp(now()) } : {};
      return new Erasure(service, teamId, uniqueId, { ...stored.state, ...begun }, stored.version);
    }
    await settleNames(service, teamId, uniqueId);
    const state: ErasureState = {
      ...(again ?? (await personToErase(service, teamId, uniqueId, known?.contact_id))),
      begun_at: timestamp(now()),
      step: 'files',
      counts: {},
      files_deleted: [],
      files_unknown: [],
    };
    const erasure = new Erasure(service, teamId, uniqueId, state, 0);
    await erasure.commit([], {}, {});
    return erasure;
  }

  /**
   * @returns false if one of the writes lost a race: read and decide again.
   * @throws Problem `conflict` if a command or a function runs the same erasure
   */
  async commit(writes: readonly Write[], change: Partial<ErasureState>, counted: Counts): Promise<boolean> {
    const { database } = this.service;
    const counts = { ...this.state.counts };
    for (const [kind, count] of Object.entries(counted)) if (count > 0) counts[kind] = (counts[kind] ?? 0) + count;
    const state = { ...this.state, ...change, counts };
    const isWritten = await database.transact([
      ...writes,
      erasureWrite(this.teamId, this.uniqueId, state, this.#version),
    ]);
    if (!isWritten) {
      await this.#refuseRival();
      return false;
    }
    this.state = state;
    this.#version += 1;
    return true;
  }

  /** The contact; `undefined` if there is none, or one that is not the one whose erasure is repeated. */
  async contact(): Promise<Contact | undefined> {
    const contact = (await loadContact(this.service.database, this.teamId, this.state.contact_id))?.contact;
    return contact && isOther(contact, this.state) ? undefined : contact;
  }

  /** Deletes the state, which contains the person's `unique_id`s. */
  async end(): Promise<void> {
    await this.service.database.transact([erasureEnd(this.teamId, this.uniqueId, this.#version)]);
  }

  async #refuseRival(): Promise<void> {
    const stored = await loadErasure(this.service.database, this.teamId, this.uniqueId);
    if ((stored?.version ?? 0) === this.#version) return;
    throw new Problem('conflict', [{ path: '', message: 'the same contact is already being erased' }]);
  }
}
