import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from 'vitest';
import { createTeam, localMessages } from '../../../bin/admin/operations/teams/teams.ts';
import { differences, totalsOfFiles } from '../../../bin/demo/compare.ts';
import { type Bank, readBank } from '../../../bin/demo/files.ts';
import { isRight, type Report, textOf } from '../../../bin/demo/report.ts';
import { giveRule } from '../../../bin/demo/rule.ts';
import { runDemo } from '../../../bin/demo/run.ts';
import { screenOf } from '../../../bin/import/progress.ts';
import { isLongForm } from '../../support/long-form.ts';
import { putContent } from '../../support/operations/content.ts';
import { serviceOn } from '../../support/operations/operations.ts';
import { newCredential } from '../../support/operations/teams.ts';
import { service } from '../../support/service/service.ts';

const bank = readBank();

describe('the bank', () => {
  test('holds what its description says', () => {
    expect(totalsOfFiles(bank)).toEqual({
      contacts: 5369,
      accounts: 6074,
      links: 6943,
      products: 11,
    });
    expect(bank.accounts).toHaveLength(6943);
  });

  test('has dotted columns as nested fields, and empty cells as absent ones', () => {
    expect(bank.contacts[0]).toEqual({
      unique_id: '1',
      birthdate: '1970-12-13',
      city: 'Pisek',
      county: 'south Bohemia',
      country: 'CZ',
      timezone: 'Europe/Prague',
      meta_private: { gender: 'female', district: { id: '18', average_salary: '8968' } },
    });
    expect(bank.accounts[0]).toEqual({
      account_number: '1',
      contact: { unique_id: '1', role: 'primary' },
      product: {
        code: 'CHK-M',
        type: 'checking',
        standardized_type: 'checking',
        name: 'Current account, monthly statement',
      },
      opened_date: '1995-03-24',
    });
  });
});

/** The first contacts of the bank with all their accounts. */
function part(of: Bank, contacts: number): Bank {
  const kept = of.contacts.slice(0, contacts);
  const ids = new Set(kept.map(({ unique_id }) => unique_id));
  const rows = of.rows.filter((row) => ids.has(row.contact));
  const accounts = of.accounts.filter((_, at) => ids.has(of.rows[at]!.contact));
  return { ...of, contacts: kept, accounts, rows };
}

/**
 * The long form needs two requests and two chunks, and has more people than get a journey. One person of 20 views the
 * pages, one of 3 has met the first objective, one of 6 both, and one of 60 completes the journey.
 */
const form = isLongForm
  ? { people: 550, requests: 2, journeys: 500, viewed: 25, objectives: [167, 84], completed: 9 }
  : { people: 60, requests: 1, journeys: 60, viewed: 3, objectives: [20, 10], completed: 1 };

describe('a run', () => {
  const some = part(bank, form.people);
  let first: Report;
  let second: Report;
  const said: string[] = [];

  beforeAll(async () => {
    const running = await service();
    const { team_id: teamId } = await createTeam(serviceOn(running.database), {
      name: 'Bank',
      features: [],
      ...localMessages,
    });
    const { clientId, clientSecret } = await newCredential(running.database, teamId);
    const sample = readFileSync(new URL('../../../examples/campaigns.json', import.meta.url), 'utf8');
    await putContent(running.database, teamId, JSON.parse(sample));
    await giveRule({ ...serviceOn(running.database), fits: () => true }, teamId);
    const { base_url, message_sender } = running.local;
    const target = { base_url, message_sender, client_id: clientId, client_secret: clientSecret };
    const stream = { write: (text: string) => said.push(text) } as unknown as NodeJS.WriteStream;
    first = await runDemo(target, some, screenOf(stream));
    second = await runDemo(target, some);
  });

  test('finds in the service what the files say', () => {
    expect(first.differences).toEqual([]);
    expect(first.service).toEqual(first.files);
    expect(first.contacts).toEqual({ calls: form.requests, new: form.people, changed: 0, unchanged: 0 });
    expect(first.batch.records).toMatchObject({ applied: some.rows.length, unchanged: 0, rejected: 0 });
    expect(isRight(first)).toBe(true);
    expect(textOf(first)).toContain('Every record matches the files.');
  });

  test('says what it does, step by step', () => {
    expect(said.filter((line) => !/\d of \d/.test(line))).toEqual([
      `  Send ${form.people} contacts\n`,
      `  Send ${some.rows.length} account records\n`,
      '  Wait until the account records are imported\n',
      '  Read all contacts\n',
      '  Read the accounts of each contact\n',
      '  Wait until the rule has started the journeys\n',
      '  Wait until the invitations are sent\n',
      '  Open the pages of some journeys\n',
    ]);
  });

  test('the second time changes nothing and finds every record unchanged', () => {
    expect(second.contacts).toEqual({ calls: form.requests, new: 0, changed: 0, unchanged: form.people });
    expect(second.batch.records).toMatchObject({ applied: 0, unchanged: some.rows.length, rejected: 0 });
    expect(isRight(second)).toBe(true);
    expect(textOf(second)).toContain('every record was unchanged');
  });

  test('takes people on a journey, and shows how far they come', () => {
    const { pages, ...journeys } = first.journeys!;
    expect(journeys).toEqual({
      campaign: 'New member welcome',
      new: form.journeys,
      existing: 0,
      by_rule: form.journeys,
      completely_viewed: form.viewed,
      completed: form.completed,
    });
    const of = (condition: string) => pages.filter((page) => page.condition === condition);
    expect(of('view')).toMatchObject([{ viewed: form.viewed, completed: form.viewed }]);
    expect(of('objective')).toMatchObject(form.objectives.map((completed) => ({ completed })));
    expect(of('confirm')).toMatchObject([{ completed: form.viewed }, { completed: form.viewed }]);
    const holders = new Set(some.rows.filter(({ type }) => type === 'checking').map(({ contact }) => contact));
    const held = some.contacts.slice(0, form.journeys).filter(({ unique_id }) => holders.has(unique_id as string));
    expect(of('open')).toMatchObject([{ completed: held.length }]);
    expect(textOf(first)).toMatch(/New member welcome +completes by +viewed +completed/);
  });

  test('sends each of them the invitation', async () => {
    expect(first.invitations).toEqual({ name: 'Welcome email', due: form.journeys, sent: form.journeys });
    const response = await fetch(`${first.base_url}/outbox`, { headers: { accept: 'application/json' } });
    const invitation = {
      to: expect.stringMatching(/^customer-\d+@bank\.example$/),
      subject: 'Welcome to Cedar Valley',
    };
    expect(((await response.json()) as { messages: object[] }).messages).toContainEqual(
      expect.objectContaining(invitation),
    );
    expect(textOf(first)).toContain(`${form.journeys} invitations sent, see /outbox`);
  });

  test('the second time finds every journey as it was, and sends nothing', () => {
    expect(second.journeys).toEqual({ ...first.journeys, new: 0, existing: form.journeys });
    expect(second.invitations).toEqual(first.invitations);
  });

  test('without the campaign loads the bank all the same', async () => {
    const running = await service();
    const { clientId, clientSecret } = await running.newTeam();
    const target = { base_url: running.baseUrl, client_id: clientId, client_secret: clientSecret };
    const report = await runDemo(target, part(bank, 3));
    expect(report.journeys).toBeNull();
    expect(textOf(report)).not.toContain('completes by');
  });

  test('is not right when the service holds anything else', () => {
    expect(isRight({ ...second, differences: ['contact 1 is missing'] })).toBe(false);
    expect(isRight({ ...second, service: { ...second.service, links: second.service.links - 1 } })).toBe(false);
    expect(isRight({ ...second, batch: { ...second.batch, status: 'failed' } })).toBe(false);
  });
});

describe('the comparison', () => {
  const one = part(bank, 1);
  const contact = {
    id: 'id-1',
    ...one.contacts[0],
    unique_id: '1',
    meta_private: { gender: 'female', 'district.id': '18', 'district.average_salary': '8968' },
  };
  const product = { code: 'CHK-M', type: 'checking', name: 'Current account, monthly statement' };
  const account = { role: 'primary', account: { id: 'account-1', product } };

  test.each([
    ['nothing', [contact], [[account]], []],
    ['a contact that is missing', [], [], ['contact 1 is missing']],
    ['a field', [{ ...contact, city: 'Tabor' }], [[account]], ['contact 1: city differs']],
    ['metadata', [{ ...contact, meta_private: null }], [[account]], ['contact 1: meta_private differs']],
    ['an account that is missing', [contact], [[]], ['contact 1: 0 accounts instead of 1']],
    ['a role', [contact], [[{ ...account, role: 'authorized' }]], ['account 1 of contact 1 differs']],
  ])('names %s', (_, contacts, accounts, expected) => {
    expect(differences(one, contacts, accounts)).toEqual(expected);
  });

  test('sees that an account held by two is two accounts in the service', () => {
    const two = part(bank, 3);
    const held = two.rows.filter((row) => row.number === '2');
    expect(held.map((row) => row.contact)).toEqual(['2', '3']);
    const pair = {
      ...two,
      rows: held,
      contacts: two.contacts.slice(1).map(({ unique_id }) => ({ unique_id: unique_id! })),
    };
    const contacts = ['2', '3'].map((unique_id) => ({ id: unique_id, unique_id }));
    const accounts = held.map(({ role }, at) => [{ role, account: { id: `id-${at}`, product } }]);
    expect(differences(pair, contacts, accounts)).toEqual(['account 2 of contact 3 differs']);
  });
});
