import { flagFields, textFields } from '../../../lib/domain/contact.ts';
import { pathsOf, refused, same } from '../assert.ts';
import { quoted, type Row, sectionOf } from '../row.ts';
import { decimals, integers, textsOfAccount } from './account-fields.ts';

/** Limits that the specification leaves open. */
const { row } = sectionOf('Errors and limits where the specification is silent');

const longText = 1024;
const longDecimal = 128;
const phones = ['phone_home', 'phone_mobile', 'phone_work'];
const texts = textFields.filter((field) => field !== 'birthdate' && !phones.includes(field));

/** An object with a value of this length in each field. */
const filled = (fields: readonly string[], length: number, letter: string): Record<string, string> =>
  Object.fromEntries(fields.map((field) => [field, letter.repeat(length)]));

export const limitRows: readonly Row[] = [
  row(
    `The texts ${quoted([...texts, ...phones])} have at most ${longText} characters.`,
    `Sends ${longText} characters in each (201) and one more (422 at each path).`,
    async ({ team }) => {
      const all = (length: number) => ({ ...filled(texts, length, 'é'), ...filled(phones, length, '5') });
      const { name_first, phone_work } = await team.contact(all(longText));
      same([name_first.length, phone_work.length], [longText, longText], 'the stored lengths');
      const refusal = await team.call(422, 'POST /v1/contacts', { unique_id: team.newId(), ...all(longText + 1) });
      refused(refusal, 'validation_failed', ...Object.keys(all(1)).map((field) => `/${field}`));
    },
  ),
  row(
    '`unique_id` has at most 1024 bytes, `account_number` and `code` of a product at most 512.',
    'Sends one byte more of each: 422. The longest are accepted.',
    async ({ team }) => {
      const longest = team.newId().padEnd(1024, 'x');
      await team.call(201, 'POST /v1/contacts', { unique_id: longest });
      refused(
        await team.call(422, 'POST /v1/contacts', { unique_id: `${longest}x` }),
        'validation_failed',
        '/unique_id',
      );
      const account = (length: number) => ({
        account_number: 'n'.repeat(length),
        product: { code: 'c'.repeat(length), type: 'loan' },
      });
      const refusal = await team.call(422, 'POST /v1/batches', { type: 'accounts', records: [account(513)] });
      refused(refusal, 'validation_failed', '/records/0/account_number', '/records/0/product/code');
      same((await team.imported([account(512)])).status, 'completed', 'the status');
    },
  ),
  row(
    `The texts of an account, ${quoted(textsOfAccount)}, the \`role\`, and \`name\` and \`description\` of the \`product\` have at most ${longText} characters.`,
    `Imports ${longText} characters in each (applied) and one more (422 at each path).`,
    async ({ team }) => {
      const record = (length: number) => ({
        ...filled(textsOfAccount, length, 'é'),
        account_number: team.newId(),
        contact: { unique_id: 'nobody', role: 'r'.repeat(length) },
        product: { ...filled(['name', 'description'], length, 'p'), code: team.newId(), type: 'loan' },
      });
      same((await team.imported([record(longText)])).records.applied, 1, 'the applied records');
      const refusal = await team.call(422, 'POST /v1/batches', { type: 'accounts', records: [record(longText + 1)] });
      const paths = [...textsOfAccount, 'contact/role', 'product/name', 'product/description'];
      refused(refusal, 'validation_failed', ...paths.map((path) => `/records/0/${path}`));
    },
  ),
  row(
    `The decimals ${quoted(decimals)} have at most ${longDecimal} characters, and ${quoted(integers)} is at most ${Number.MAX_SAFE_INTEGER}.`,
    'Imports the longest of each (applied), and more (422 at each path).',
    async ({ team }) => {
      const record = (length: number, count: string) =>
        `{"account_number": "${team.newId()}", "product": {"code": "plain", "type": "loan"}, ${decimals
          .map((field) => `"${field}": "${'7'.repeat(length)}"`)
          .join(', ')}, "${integers[0]}": ${count}}`;
      const send = (status: number, text: string) =>
        team.call(status, 'POST /v1/batches', `{"type": "accounts", "records": [${text}]}`);
      const { body } = await send(202, record(longDecimal, String(Number.MAX_SAFE_INTEGER)));
      same((await team.finished(body.batch_id)).records.applied, 1, 'the applied records');
      const refusal = await send(422, record(longDecimal + 1, '9007199254740992'));
      same(
        pathsOf(refusal).sort(),
        [...decimals, ...integers].map((field) => `/records/0/${field}`).sort(),
        'the paths',
      );
    },
  ),
  row(
    `\`owner_id\`, \`name\` and \`source\` of a journey have at most ${longText} characters.`,
    `Starts a journey with ${longText} characters in each (201), and with one more (422 at each path).`,
    async ({ team, ids }) => {
      const request = (length: number) => filled(['owner_id', 'name', 'source'], length, 's');
      const { contact } = await team.journey(ids.short, {}, request(longText));
      same((await team.journeysOf(contact))[0].source.length, longText, 'the length of source');
      const longer = { contact: { id: contact.id }, ...request(longText + 1) };
      const refusal = await team.call(422, `POST /v1/templates/${ids.short}/journeys`, longer);
      refused(refusal, 'validation_failed', '/owner_id', '/name', '/source');
    },
  ),
  row(
    'A batch of `contacts` has at most 500.',
    'Sends 501: 422 at `/contacts`, and none is stored.',
    async ({ team }) => {
      const contacts = Array.from({ length: 501 }, () => ({ unique_id: team.newId() }));
      refused(await team.call(422, 'POST /v1/contacts', { contacts }), 'validation_failed', '/contacts');
      const { body } = await team.call(200, `GET /v1/contacts?unique_id=${contacts[0]!.unique_id}`);
      same(body.contacts, [], 'the stored contacts');
    },
  ),
  row(
    '`meta_public` and `meta_private` have at most 1000 keys and 16 KB each, merged.',
    'Sends 1001 keys, and 17,000 bytes: 422 at the field. 1000 keys are accepted.',
    async ({ team }) => {
      const keys = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, at) => [`k${at}`, 1]));
      for (const field of ['meta_public', 'meta_private']) {
        const { id } = await team.contact({ [field]: keys(1000) });
        for (const value of [keys(1001), { text: 'x'.repeat(17_000) }]) {
          refused(
            await team.call(422, `PATCH /v1/contacts/${id}`, { [field]: value }),
            'validation_failed',
            `/${field}`,
          );
        }
      }
    },
  ),
  row(
    'Changing `email` or `phone_mobile` sets the `*_verified` and `*_authorized` flags of that address that were true to false; `email_opted_in` and `sms_opted_in` stay.',
    `Changes both on a contact with all of ${quoted(flagFields)} true.`,
    async ({ team }) => {
      const all = Object.fromEntries(flagFields.map((field) => [field, true]));
      const { id } = await team.contact({ ...all, email: 'a@example.com', phone_mobile: '4155550100' });
      const change = { email: 'b@example.com', phone_mobile: '4155550101' };
      const { body } = await team.call(200, `PATCH /v1/contacts/${id}`, change);
      const flags = Object.fromEntries(flagFields.map((field) => [field, body[field]]));
      same(flags, Object.fromEntries(flagFields.map((field) => [field, field.endsWith('_opted_in')])), 'the flags');
    },
  ),
];
