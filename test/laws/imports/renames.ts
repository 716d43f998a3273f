import { changeUniqueId } from '../../../bin/admin/operations/contacts/change-unique-id.ts';
import { noDetails } from '../../../lib/domain/contacts/contact.ts';
import { loadLinks } from '../../../lib/store/accounts/accounts.ts';
import { writeOfContact } from '../../../lib/store/contacts/contacts.ts';
import { loadIdentityItems } from '../../../lib/store/contacts/identities.ts';
import { loadImportState } from '../../../lib/store/imports/import-work.ts';
import type { Database } from '../../../lib/store/table/database.ts';
import { derivedContactId } from '../../../lib/store/table/ids.ts';
import { contactKey } from '../../../lib/store/table/keys.ts';
import type { Random } from '../random.ts';
import type { Acceptance } from './history.ts';
import { uniqueIds } from './requests.ts';

/** The last of these has no contact at first. */
const values = [...uniqueIds, 'c-2'];

/** The steps in which a value named this id, as precisely as is visible from outside. */
type Naming = { id: string } & Span;
type Span = { from: number; to: number };

/**
 * Changes of `unique_id`s beside a running import, and the law for them: a link that an import was to make lies with
 * somebody whom its `unique_id` named while its chunk was at work, wherever that contact's links have moved since, unless
 * a later chunk removed it there; and no contact has any other link.
 */
export class Renames {
  readonly #database: Database;
  readonly #teamId: string;
  readonly #names = new Map<string, Naming[]>();
  readonly #work = new Map<Acceptance, Span>();
  #seen: number | undefined;
  #observedAt = 0;

  constructor(database: Database, teamId: string) {
    this.#database = database;
    this.#teamId = teamId;
  }

  /** Creates the contacts. */
  async begin(): Promise<void> {
    const time = '2026-01-01T00:00:00.000000Z';
    const contacts = uniqueIds.map((unique_id) => {
      const id = derivedContactId(this.#teamId, unique_id);
      return { ...noDetails, id, unique_id, inserted_at: time, updated_at: time };
    });
    await this.#database.write(
      contacts.map((contact) => writeOfContact(this.#teamId, contact, undefined, [], { writer: 'test' })),
    );
    await this.observe(0, []);
  }

  /** One change between two values, made by an administrator's process with its own view of the table. */
  async change(random: Random, dependencies: Parameters<typeof changeUniqueId>[0]): Promise<void> {
    const from = random.pick(values);
    const to = random.pick(values.filter((value) => value !== from));
    await changeUniqueId(dependencies, this.#teamId, { from, to });
  }

  /** Repeats interrupted changes. A repeat that is rejected has still moved the remaining links. */
  async complete(dependencies: Parameters<typeof changeUniqueId>[0]): Promise<void> {
    for (const to of values) {
      const [identity] = await loadIdentityItems(this.#database, this.#teamId, [to]);
      if (identity?.renamed_from === undefined) continue;
      await changeUniqueId(dependencies, this.#teamId, { from: identity.renamed_from, to }).catch(() => undefined);
    }
  }

  /** Must be called after every step that is visible to all. Renames change together with the import state. */
  async observe(step: number, acceptances: readonly Acceptance[]): Promise<void> {
    const from = this.#observedAt;
    this.#observedAt = step;
    const { version, begun } = await loadImportState(this.#database, this.#teamId);
    if (version === this.#seen) return;
    this.#seen = version;
    const identities = await loadIdentityItems(this.#database, this.#teamId, values);
    for (const [index, value] of values.entries()) {
      const id = identities[index]?.contact_id ?? derivedContactId(this.#teamId, value);
      const known = this.#names.get(value) ?? [];
      const last = known.at(-1);
      if (last?.id === id) continue;
      if (last) last.to = step;
      this.#names.set(value, [...known, { id, from, to: Number.POSITIVE_INFINITY }]);
    }
    for (const acceptance of acceptances) {
      if (acceptance.order > begun || acceptance.status === 'cancelled') continue;
      const span = this.#work.get(acceptance) ?? { from, to: Number.POSITIVE_INFINITY };
      if (acceptance.status === 'completed') span.to = Math.min(span.to, step);
      this.#work.set(acceptance, span);
    }
  }

  async examine(acceptances: readonly Acceptance[]): Promise<string[]> {
    const findings: string[] = [];
    const explained = new Set<string>();
    const ids = new Set([...this.#names.values()].flatMap((names) => names.map(({ id }) => id)));
    const homes = new Map(await Promise.all([...ids].map(async (id) => [id, await this.#homeOf(id)] as const)));
    const held = new Set<string>();
    for (const id of new Set(homes.values())) {
      const { links } = await loadLinks(this.#database, this.#teamId, id);
      for (const { account_number } of links) held.add(`${id} ${account_number}`);
    }
    const removedBy = new Map<string, number>();
    for (const { records, order } of acceptances) {
      for (const { removal, account_number } of records) {
        if (typeof removal === 'object') removedBy.set(`${homes.get(removal.contact_id)} ${account_number}`, order);
      }
    }
    for (const acceptance of acceptances) {
      const span = this.#work.get(acceptance);
      if (!span) continue;
      for (const { link, account_number } of acceptance.records) {
        if (!link) continue;
        const possible = this.#named(link.unique_id, span).map((id) => `${homes.get(id)} ${account_number}`);
        for (const each of possible) explained.add(each);
        const isRemoved = possible.some((each) => (removedBy.get(each) ?? 0) >= acceptance.order);
        if (acceptance.status === 'completed' && !isRemoved && !possible.some((each) => held.has(each))) {
          findings.push(`chunk ${acceptance.order} linked ${link.unique_id} to ${account_number}, and nobody has it`);
        }
      }
    }
    for (const each of held) if (!explained.has(each)) findings.push(`nothing explains the link ${each}`);
    return findings;
  }

  #named(value: string, { from, to }: Span): string[] {
    const names = this.#names.get(value) ?? [];
    return names.filter((name) => name.from <= to && name.to >= from).map(({ id }) => id);
  }

  /** Where the links of an id are in the end. */
  async #homeOf(id: string): Promise<string> {
    const [item] = await this.#database.get([contactKey(this.#teamId, id)]);
    return item?.moved_to === undefined ? id : this.#homeOf(item.moved_to as string);
  }
}
