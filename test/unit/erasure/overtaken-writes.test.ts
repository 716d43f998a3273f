import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import { changeUniqueId } from '../../../bin/admin/operations/contacts/change-unique-id.ts';
import { fillLookups } from '../../../bin/admin/operations/contacts/fill-lookups.ts';
import { reissueJourney } from '../../../bin/admin/operations/journeys/reissue-journey.ts';
import type { PageAction } from '../../../lib/domain/journeys/answer.ts';
import { reopened } from '../../../lib/domain/journeys/journey.ts';
import { erasePerson } from '../../../lib/operations/erasure/erase.ts';
import { eraseRequested } from '../../../lib/operations/erasure/erase-requested.ts';
import { cancelJourney } from '../../../lib/operations/journeys/cancel.ts';
import { confirmJourney } from '../../../lib/operations/journeys/confirm.ts';
import { createJourney } from '../../../lib/operations/journeys/create.ts';
import { proveIdentity } from '../../../lib/operations/journeys/identity.ts';
import { listJourneys } from '../../../lib/operations/journeys/list.ts';
import { countJourneys } from '../../../lib/operations/results/count.ts';
import { judgeContacts } from '../../../lib/operations/targeting/judge-contacts.ts';
import { loadContact } from '../../../lib/store/contacts/contacts.ts';
import { listErasureRequests } from '../../../lib/store/erasure/erasure-requests.ts';
import { loadContactAggregate, loadJourneys, reopeningOf } from '../../../lib/store/journeys/journeys.ts';
import type { Database, Write } from '../../../lib/store/table/database.ts';
import { contactKey, linkKey, targetingRuleKey } from '../../../lib/store/table/keys.ts';
import { ModelDatabase } from '../../support/models/model-database.ts';
import { putContent } from '../../support/operations/content.ts';
import { postBatch, workAll } from '../../support/operations/import-operations.ts';
import {
  act,
  dependencies,
  idOf,
  openOn,
  post,
  team,
  templateId,
} from '../../support/operations/journey-operations.ts';
import { serviceOn, updateContact } from '../../support/operations/operations.ts';
import { account, justBefore, mapping } from '../../support/operations/person-world.ts';
import { record } from '../../support/samples/contacts.ts';

/** An erasure runs completely between the reads and a write of something else that concerns the person. */

const mark = 'Zaphodine';
const [first, asked, shown] = [randomUUID(), randomUUID(), randomUUID()] as const;
const objective = { id: randomUUID(), key: 'enrolled' };
const block = { id: randomUUID(), type: 'agreement', order: 1, data: { agreementText: 'I agree' } };
const journey = { template_id: templateId };
const known = { name_first: mark, birthdate: '1985-03-27', post_code: '94110' };
const answers = { birth_month: '3', birth_day: '27', birth_year: '1985', post_code: '94111' };
const change = { name: undefined, owner_id: undefined, source: undefined };

let table: ModelDatabase;
let contactId: string;
let content: object;
let ids: { id: string; slug: string };

beforeEach(async () => {
  table = new ModelDatabase();
  await openOn(table);
  const pages = [
    { id: first, completion_condition: 'confirm' },
    { id: asked, completion_condition: 'confirm', content_blocks: [block] },
    { id: shown, completion_condition: 'objective', objective_id: objective.id },
  ];
  const template_pages = pages.map((page, order) => ({ id: randomUUID(), order, page }));
  const templates = [
    { id: templateId, name: 'Welcome', status: 'live', template_pages },
    { id: other, name: 'Other' },
  ];
  content = { objectives: [objective], templates };
  await putContent(table, team, content);
  contactId = idOf('p');
  await post({ unique_id: 'p', ...known, email: 'z@example.com', journey });
  ids = (await loadContactAggregate(table, team, contactId))!.journeys[0]!.journey;
});
const other = randomUUID();

const erase = (uniqueId = 'p', database: Database = table, wait = async () => {}) => {
  const files = { list: async function* () {} } as never;
  const rest = { files, erasures: { add: async () => {} }, wait, onProgress: () => {} };
  return erasePerson({ ...serviceOn(database), ...rest }, team, uniqueId);
};

/** The function that works requests to erase, which such a worker sends too. */
async function sweep(): Promise<void> {
  const rest = { files: {}, erasures: {}, wait: async () => {}, retentionDays: 400, hasTime: () => true };
  const onFailure = (error: unknown) => {
    throw error;
  };
  await eraseRequested({ ...serviceOn(table), ...rest, onFailure } as never);
  expect(await listErasureRequests(table)).toEqual([]);
}

/** The keys of items that have something of the person. */
const left = () =>
  [...table.items.values()]
    .filter((item) => [contactId, ids.id, ids.slug, mark].some((each) => JSON.stringify(item).includes(each)))
    .map(({ pk, sk }) => `${pk} ${sk}`);
const partition = () => [...table.items.values()].filter(({ pk }) => pk === contactKey(team, contactId).pk);

const of = (write: Write) => (write.kind === 'insert' ? write.item : write.key);
const toItem = (sk: string) => (write: Write) => write.kind !== 'check' && of(write).sk.startsWith(sk);
const contact = async () => (await loadContact(table, team, contactId))!.contact;
const view = (page_id: string): PageAction => ({ type: 'page_viewed', page_id });
const acts = (action: PageAction) => (using: Database) => act(ids.slug, action, dependencies(using));
const completes = (page_id: string, sent = {}) => acts({ type: 'page_completed', page_id, ...sent });
const starts =
  (sent: object, template = other) =>
  (using: Database) =>
    createJourney(dependencies(using), { teamId: team, clientId: 'test' }, template, {
      contact: sent as never,
      change,
      errors: [],
    });
const patch = (fields: object) => (using: Database) =>
  updateContact(dependencies(using), team, contactId, record({ unique_id: 'p', ...fields }));

type Overtaken = {
  what: string;
  prepare?: () => Promise<unknown>;
  isMeant: (write: Write) => boolean;
  run: (using: Database) => Promise<unknown>;
  /** The code of its error; `undefined` if it has none. */
  code?: string;
  /** It concerns the contact that is created again. */
  ofAgain?: boolean;
};
const overtaken: Overtaken[] = [
  {
    what: 'a new journey of a contact that is named by its id',
    isMeant: toItem('JOURNEY#'),
    run: (using) => starts({ id: idOf('p') })(using),
    code: 'validation_failed',
  },
  {
    what: 'a new journey of a contact that the request has written',
    isMeant: toItem('JOURNEY#'),
    run: (using) => starts(record({ unique_id: 'p', city: 'Brno' }))(using),
    code: 'validation_failed',
  },
  {
    what: 'a new journey of a changed contact',
    isMeant: toItem('JOURNEY#'),
    run: patch({ journey: { template_id: other } }),
  },
  {
    what: 'a changed journey',
    isMeant: toItem('JOURNEY#'),
    run: (using) =>
      createJourney(dependencies(using), { teamId: team, clientId: 'test' }, templateId, {
        contact: { id: contactId },
        change: { ...change, name: mark },
        errors: [],
      }),
    code: 'validation_failed',
  },
  {
    what: 'a confirmed journey',
    isMeant: toItem('JOURNEY#'),
    run: (using) => confirmJourney(dependencies(using), team, { templateId, journeyId: ids.id }, true),
    code: 'not_found',
  },
  {
    what: 'a new slug',
    isMeant: toItem('JOURNEY#'),
    run: (using) => reissueJourney(dependencies(using), team, ids.id),
    code: 'not_found',
  },
  {
    what: 'a cancelled journey',
    isMeant: toItem('JOURNEY#'),
    run: (using) => cancelJourney(dependencies(using), team, ids.id),
    code: 'not_found',
  },
  {
    what: 'a reopened journey',
    prepare: () => cancelJourney(dependencies(), team, ids.id),
    isMeant: toItem('JOURNEY#'),
    run: async (using) => {
      const [stored] = await loadJourneys(table, team, [{ contactId, templateId }]);
      const journey = reopened(stored!.journey, '2027-01-01T00:00:00.000000Z');
      expect(await using.transact(reopeningOf(team, journey, stored!, undefined))).toBe(false);
    },
  },
  {
    what: 'a journey that targeting starts',
    prepare: async () => {
      const page = { id: first, completion_condition: 'confirm' };
      const conditions = [{ field: 'contact.unique_id', operator: 'is_set' }];
      const template_pages = [{ id: randomUUID(), order: 0, page }];
      const rule = { id: other, name: 'Other', status: 'live', targeting_groups: [{ conditions }], template_pages };
      await putContent(table, team, { templates: [rule] });
      // For those who were there before, too.
      table.damage(targetingRuleKey(team, other), { since: '' });
    },
    isMeant: toItem('JOURNEY#'),
    run: (using) => {
      const onFailure = (error: unknown) => {
        throw error;
      };
      const service = { ...dependencies(using), onRuleFailure: onFailure, onPassedOver: onFailure };
      return judgeContacts(service, team, [contactId], { bound: { kind: 'brakes' } });
    },
    ofAgain: true,
  },
  {
    what: 'the count of a journey',
    prepare: () => act(ids.slug, view(first)),
    isMeant: toItem('JOURNEY#'),
    run: (using) => countJourneys(dependencies(using), team, [{ contactId, templateId }]),
    ofAgain: true,
  },
  { what: 'a first view', isMeant: toItem('JOURNEY#'), run: acts(view(first)), code: 'not_found' },
  {
    what: 'a view again',
    prepare: () => act(ids.slug, view(first)),
    isMeant: toItem('JOURNEY#'),
    run: (using) => {
      const later = { ...dependencies(using), now: () => Date.now() + 1000 };
      return act(ids.slug, view(first), later);
    },
    code: 'not_found',
  },
  { what: 'a completed page', isMeant: toItem('JOURNEY#'), run: completes(first), code: 'not_found' },
  {
    what: 'an answer',
    isMeant: toItem('RESPONSE#'),
    run: completes(asked, { answers: [{ block_id: block.id, answer: 'accepted' }] }),
    code: 'not_found',
  },
  {
    what: 'a completion that is shown',
    prepare: () => post({ unique_id: 'p', enrolled: 'yes' }),
    isMeant: toItem('JOURNEY#'),
    run: (using) => listJourneys(dependencies(using), team, contactId),
  },
  {
    what: 'an attempt to prove the identity',
    isMeant: toItem('PROOF'),
    run: async (using) => proveIdentity(dependencies(using), team, await contact(), answers),
    code: 'not_found',
  },
  {
    what: 'a changed contact',
    isMeant: toItem('CONTACT'),
    run: patch({ city: 'Brno' }),
    code: 'not_found',
    ofAgain: true,
  },
  {
    what: 'an entry in an index of a contact',
    prepare: () => {
      const channel = { id: randomUUID(), name: 'Web', lookup_fields: ['email'] };
      return putContent(table, team, { ...content, engagement_channels: [channel] });
    },
    isMeant: toItem('CONTACT'),
    run: (using) => fillLookups({ ...dependencies(using), pause: async () => {} } as never, team),
  },
];

describe('an erasure that overtakes', () => {
  test.each(overtaken)('$what leaves nothing of the person', async ({ prepare, isMeant, run, code }) => {
    await prepare?.();
    let isErased = false;
    const database = justBefore(table, isMeant, async () => {
      await erase();
      expect(left()).toEqual([]);
      isErased = true;
    });
    const outcome = await run(database).then(
      () => undefined,
      (error) => error.code,
    );
    expect([isErased, outcome]).toEqual([true, code]);
    expect(left()).toEqual([]);
  });

  test.each(overtaken.filter(({ ofAgain = false }) => !ofAgain))(
    '$what changes nothing of a person who was created again',
    async ({ prepare, isMeant, run }) => {
      await prepare?.();
      let again: unknown;
      const database = justBefore(table, isMeant, async () => {
        await erase();
        await post({ unique_id: 'p', email: 'new@example.com', journey });
        const { slug } = (await loadContactAggregate(table, team, contactId))!.journeys[0]!.journey;
        await act(slug, view(first));
        again = partition();
      });
      await run(database).catch(() => {});
      expect(again).toBeDefined();
      expect(partition()).toEqual(again);
    },
  );

  test('a changed contact merges nothing of it into one that was created again', async () => {
    const database = justBefore(table, toItem('CONTACT'), async () => {
      await erase();
      await post({ unique_id: 'p' });
    });
    await patch({ city: 'Brno' })(database);
    expect(await contact()).toMatchObject({ city: 'Brno', name_first: null, email: null });
  });

  test('a contact that is created again with a journey, before it has deleted the old one, keeps the new one', async () => {
    let starting: Promise<unknown> = Promise.resolve();
    // The contact is deleted, and its journey is not.
    const database = justBefore(
      table,
      (write) => write.kind === 'delete' && toItem('JOURNEY#')(write),
      async () => {
        const using = { ...dependencies(), pause: () => new Promise<void>((resolve) => setTimeout(resolve, 1)) };
        starting = createJourney(using, { teamId: team, clientId: 'test' }, templateId, {
          contact: record({ unique_id: 'p' }),
          change,
          errors: [],
        });
        for (let turn = 0; turn < 20; turn++) await Promise.resolve();
      },
    );
    await erase('p', database);
    await starting;
    const { journeys } = (await loadContactAggregate(table, team, contactId))!;
    expect(journeys).toHaveLength(1);
    expect(left().filter((key) => !key.includes(contactId) && !key.includes(journeys[0]!.journey.slug))).toEqual(
      left().filter((key) => key.includes('#J#')),
    );
    expect(journeys[0]!.journey.id).not.toBe(ids.id);
  });
});

describe('an erasure that overtakes a chunk', () => {
  const accept = (chunk_index: number, records: object[]) =>
    postBatch(serviceOn(table), team, { batch_id: 'nightly', chunk_index, records });
  const work = (database: Database = table) => workAll(serviceOn(database), team);
  const killed = new Error('killed');
  const dies = () => Promise.reject(killed);
  const writesLink = (write: Write) => write.kind !== 'check' && of(write).sk.startsWith('ACCOUNT#');

  beforeEach(() => accept(0, [account('1', 'p'), mapping('2', 'p'), account('3', 'other')]));

  test('that was read and not begun does not apply it with the person', async () => {
    const isBegin = (write: Write) => of(write).sk === 'IMPORT';
    await work(justBefore(table, isBegin, () => erase()));
    expect(left()).toEqual([]);
  });

  test('of which the records of the next chunk were read ahead', async () => {
    await accept(1, [account('4', 'p')]);
    const isClose = (write: Write) => write.kind === 'update' && write.set.status === 'completed';
    await work(justBefore(table, isClose, () => erase('p', table, async () => void (await work()))));
    await sweep();
    expect(left()).toEqual([]);
  });

  test.each([
    ['links', writesLink],
    ['accounts', (write: Write) => of(write).sk === 'ACCOUNT'],
  ])('whose worker writes the %s when another one has completed it, and the erasure has ended', async (_, isMeant) => {
    const late = async () => {
      await work();
      await erase();
      expect(left()).toEqual([]);
    };
    await work(justBefore(table, isMeant, late));
    await sweep();
    expect(left()).toEqual([]);
  });

  test.each([
    ['open', 1],
    ['failed', 5],
  ])('that is %s, whose worker died before it wrote the links, leaves no holder', async (_, deaths) => {
    for (let death = 0; death < deaths; death++) {
      await expect(work(justBefore(table, writesLink, dies))).rejects.toBe(killed);
    }
    if (deaths > 1) await work();
    const waits = async () => void (await work());
    await erase('p', table, waits);
    await work();
    expect(left()).toEqual([]);
  });

  test('leaves a person who was created again and linked by a later chunk', async () => {
    const late = async () => {
      await work();
      await erase();
      await post({ unique_id: 'p' });
      await accept(1, [mapping('1', 'p')]);
      await work();
    };
    await work(justBefore(table, writesLink, late));
    await sweep();
    const links = partition().filter(({ sk }) => sk.startsWith('ACCOUNT#'));
    expect(links.map(({ sk, data }) => [sk, data !== undefined])).toEqual([['ACCOUNT#1', true]]);
  });
});

describe('an erasure that overtakes a change of the unique_id', () => {
  const rename = (database: Database) => changeUniqueId(dependencies(database), team, { from: 'p', to: 'q' });
  const isMove = (write: Write) => write.kind === 'delete' && of(write).sk.startsWith('ACCOUNT#');
  const accept = (batch_id: string, records: object[]) =>
    postBatch(serviceOn(table), team, { batch_id, chunk_index: 0, records });
  const linkNext = async (number: string) => {
    await accept(number, [mapping(number, 'q')]);
    await workAll(serviceOn(table), team);
  };

  test('moves no link to the person, also not one of the next person with the value', async () => {
    await linkNext('1');
    const database = justBefore(table, isMove, async () => {
      await erase('q');
      await linkNext('2');
    });
    await rename(database);
    expect(left()).toEqual([]);
    const links = [...table.items.values()].filter(({ pk, sk }) => pk.includes(idOf('q')) && sk.startsWith('ACCOUNT#'));
    expect(links.map(({ sk }) => sk)).toEqual(['ACCOUNT#2']);
  });

  test('leaves no link that an import wrote under the reserved id of a former value, after the links were moved', async () => {
    await rename(table);
    await changeUniqueId(dependencies(table), team, { from: 'q', to: 'r' });
    const late = {
      ...linkKey(team, idOf('q'), '1'),
      order: 0,
      outcomes: 'a',
      data: '{}',
      inserted_at: '2026-01-01T00:00:00.000000Z',
    };
    await table.write([{ kind: 'insert', item: late }]);
    await erase('r');
    expect([...table.items.values()].filter(({ sk }) => sk.startsWith('ACCOUNT#'))).toEqual([]);
  });
});
