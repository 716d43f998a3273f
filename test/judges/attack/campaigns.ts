import { randomUUID } from 'node:crypto';
import { createClient } from '../../../bin/admin/operations/access/clients.ts';
import { updateTeam } from '../../../bin/admin/operations/teams/teams.ts';
import { tokenOf } from '../../support/http/send.ts';
import { putContent } from '../../support/operations/content.ts';
import { serviceOn } from '../../support/operations/operations.ts';
import { newTeam } from '../../support/operations/teams.ts';
import { until } from '../../support/until.ts';
import { type Area, type Attack, attack, must } from './attack.ts';
import { form, type Received } from './send.ts';
import type { World } from './world.ts';

/** What campaigns do by themselves: rules over private values, messages, and the links in them. */
export const campaigns: Area = async (world) => {
  const bank = await openBank(world);
  return [...rules(world, bank), ...links(world, bank), ...scanners(world, bank), ...mails(world, bank)];
};

const planted = { group: 'PLANTED-GROUP', value: 'PLANTED-VALUE', birthdate: '1971-05-19' };

/** Values of a person that somebody could try to write headers, recipients or HTML with. */
const names = [
  'Eve\r\nBcc: everybody@evil.example',
  'Eve\nSubject: Another\n\nAnother body',
  'Eve\rX-Injected: 1',
  '=?utf-8?q?=0D=0ABcc:_everybody@evil.example?=',
  'Eve\u2028Bcc: everybody@evil.example',
  '"Eve" <everybody@evil.example>',
  '<script>alert(1)</script><img src=https://evil.example/x onerror=alert(1)>',
  '{{birthdate}} {{meta_private.segment}} {{journey_url}}',
];
const addresses = [
  'one@evil.example, two@evil.example',
  'Two <two@evil.example>',
  'one@evil.example\r\nBcc: two@evil.example',
  'one@evil.example\nRCPT TO:<two@evil.example>',
];

type Mail = {
  to: string;
  subject: string;
  html: string;
  text: string;
  source: string;
  headers: Record<string, string>;
};
type Bank = {
  teamId: string;
  /** A token that may read everything except private values. */
  token: string;
  contactId: string;
  journeyId: string;
  templateId: string;
  /** The paths of the links of two people to unsubscribe, and of one to verify. */
  paths: { own: string; other: string; verify: string };
  mails: Mail[];
};

async function openBank(world: World): Promise<Bank> {
  const { database, baseUrl, call, send } = world;
  const teamId = await newTeam(database);
  const sending = { senders: ['@bank.example'], postal_address: '1 Main Street', quiet_hours: null };
  await updateTeam(serviceOn(database), teamId, { ...sending, has_earlier_leavings: true });
  const templateId = randomUUID();
  const condition = { field: 'contact.meta_private.segment', operator: 'equals', value: planted.value };
  const blocks = [
    {
      order: 1,
      type: 'text',
      data: { heading: 'Dear {{name_first}}', body: 'Go to {{journey_url}}, {{name_last|friend}}' },
    },
    {
      order: 2,
      type: 'image',
      data: { url: 'https://images.example/{{email}}/{{name_first}}.png', altText: 'A house' },
    },
  ];
  const message = {
    ...{ type: 'email', content_block_status: 'published', content_blocks: blocks },
    payload: { subject: 'Hello {{name_first}}', preview_text: '{{name_last|friend}}', reply_to: 'help@bank.example' },
  };
  await putContent(database, teamId, {
    templates: [
      {
        ...{ id: templateId, name: 'Mailing', status: 'live', content_block_status: 'published' },
        email_sender_address: 'hello@bank.example',
        targeting_groups: [{ name: planted.group, conditions: [condition] }],
        template_pages: [{ order: 1, page: { completion_condition: 'confirm', is_live: true, content: 'Welcome.' } }],
        template_messages: [{ order: 1, send_offset_hours: 0, message }],
      },
    ],
  });
  const service = serviceOn(database);
  const scopes = ['contacts:read', 'contacts:write', 'journeys:read', 'campaigns:read', 'events:read'] as const;
  const issue = async (chosen: Parameters<typeof createClient>[2]) => {
    const { client_id: clientId, client_secret: clientSecret } = await createClient(service, teamId, chosen);
    return tokenOf(baseUrl, { clientId, clientSecret });
  };
  const [all, token] = [await issue(null), await issue(scopes)];
  const consent = { email_verified: true, email_opted_in: true, birthdate: planted.birthdate };
  const held = { ...consent, meta_private: { segment: planted.value } };
  const stored = async (fields: object) =>
    (await call('POST', '/v1/contacts', { unique_id: randomUUID(), ...held, ...fields }, all)).json;
  const addressOf = (at: number | string) => `${at}-${randomUUID()}@mail.example`;
  const own = await stored({ email: addressOf('own'), name_first: 'Olga' });
  const other = await stored({ email: addressOf('other'), name_first: 'Otto' });
  const evil = [];
  for (const [at, name] of names.entries())
    evil.push(await stored({ email: addressOf(at), name_first: name, name_last: name }));
  for (const email of addresses) await stored({ email, name_first: 'Eve' });
  const unverified = await stored({
    email: addressOf('new'),
    name_first: 'Una',
    email_verified: false,
    email_opted_in: false,
  });
  await call('POST', `/v1/contacts/${unverified.id}/verifications`, { channel: 'email' }, all);
  const expected = [own, other, unverified, ...evil.filter(({ email }) => email)].map(({ email }) => email as string);
  const accept: [string, string][] = [['accept', 'application/json']];
  const listed = await until(
    'the messages to all of them',
    async () => (await send({ target: '/outbox', headers: accept })).json.messages as { id: string; to: string }[],
    (found) => expected.every((email) => found.some(({ to }) => to === email)),
    150,
  );
  const mails: Mail[] = await Promise.all(
    listed.map(async ({ id }) => (await send({ target: `/outbox/${id}`, headers: accept })).json),
  );
  const linkOf = (email: string) => {
    const { headers, text } = mails.find(({ to }) => to === email)!;
    return new URL(/https?:[^\s<>]+\/m\/[^\s<>]+/.exec(headers['list-unsubscribe'] ?? text)![0]).pathname;
  };
  const { journeys } = (await call('GET', `/v1/journeys?template_id=${templateId}&limit=100`, undefined, all)).json;
  const journey = journeys.find(({ contact }: { contact: { id: string } }) => contact.id === own.id);
  must(journey !== undefined, 'no journey was started by the rule', journeys);
  return {
    ...{ teamId, token, contactId: own.id, journeyId: journey.id, templateId, mails },
    paths: { own: linkOf(own.email), other: linkOf(other.email), verify: linkOf(unverified.email) },
  };
}

/** A caller who may not read private values learns nothing of the rules that are about them. */
function rules({ call, ours }: World, { token, contactId, journeyId, templateId }: Bank): Attack[] {
  const paths = [
    ...['/v1/templates', `/v1/templates/${templateId}`, `/v1/templates/${templateId}/template_pages`],
    ...[`/v1/templates/${templateId}/template_messages`, `/v1/templates/${templateId}/results`],
    ...[`/v1/templates/${templateId}/responses`, `/v1/journeys?template_id=${templateId}`],
    ...[`/v1/journeys?contact_id=${contactId}`, `/v1/journeys/${journeyId}/messages`, '/v1/objectives'],
    ...[
      `/v1/contacts/${contactId}`,
      '/v1/contacts?limit=100',
      `/v1/contacts?search=${planted.value}`,
      '/v1/events?limit=100',
    ],
    `/v1/engagement-channels/${ours.channelId}/content-containers/search?meta_private[segment]=${planted.value}`,
  ];
  const leaks = ({ text }: Received) => [planted.group, planted.value].find((value) => text.includes(value));
  return paths.flatMap((path) => [
    attack('rules over private values', `without the scope: ${path.split('?')[0]}`, async () => {
      const answer = await call('GET', path, undefined, token);
      must(leaks(answer) === undefined, 'it holds something of a rule or of what it is about', answer.text);
    }),
    attack('rules over private values', `another team: ${path.split('?')[0]}`, async () => {
      const answer = await call('GET', path, undefined, ours.token);
      must(leaks(answer) === undefined && !answer.text.includes('Olga'), 'it holds something of a team', answer.text);
    }),
  ]);
}

/** Links that nobody was sent open nothing, and neither do other sealed texts. */
function links({ ours, send }: World, { paths }: Bank): Attack[] {
  const [own, other, verify] = [paths.own, paths.other, paths.verify].map((path) => path.slice('/m/'.length)) as [
    string,
    string,
    string,
  ];
  const half = Math.floor(own.length / 2);
  const changed = [...own].map((_, at) => own.slice(0, at) + (own[at] === 'A' ? 'B' : 'A') + own.slice(at + 1));
  const forged = [
    ...changed,
    ...[
      own.slice(1),
      own.slice(0, -1),
      own.slice(0, half),
      own.slice(half),
      own.toUpperCase(),
      [...own].reverse().join(''),
    ],
    ...[
      own.slice(0, half) + other.slice(half),
      other.slice(0, half) + own.slice(half),
      own.slice(0, half) + verify.slice(half),
    ],
    ...[own + other, `${own.slice(0, -1)}Ax`, ours.reference, ours.cursor, ours.slug, `${ours.cursor}x`, '', '..', 'x'],
    ...Array.from({ length: 50 }, () => `${randomUUID().replaceAll('-', '').repeat(5)}x`),
  ];
  return forged.flatMap((token, at) => [
    attack('forged links', `GET, ${at}`, async () => {
      const answer = await send({ target: `/m/${token}` });
      must([400, 404, 405].includes(answer.status), `status ${answer.status} for ${token}`, answer.text);
      must(!/mail\.example|Olga|Otto/.test(answer.text), 'it shows something of a person');
    }),
    attack('forged links', `POST, ${at}`, async () => {
      const answer = await send({
        method: 'POST',
        target: `/m/${token}`,
        headers: [form],
        body: 'List-Unsubscribe=One-Click',
      });
      must([400, 404, 405].includes(answer.status), `status ${answer.status} for ${token}`, answer.text);
    }),
  ]);
}

/** Only a press changes anything: no visit does, however often, and no form of another site verifies an address. */
function scanners({ call, send }: World, { paths, contactId, token }: Bank): Attack[] {
  const visits: [string, [string, string][]][] = [
    ['GET', []],
    ['HEAD', []],
    ['GET', [['purpose', 'prefetch']]],
    ['GET', [['sec-purpose', 'prefetch;prerender']]],
    ['GET', [['user-agent', 'Mozilla/5.0 (compatible; LinkScanner/1.0)']]],
    ['OPTIONS', []],
    ['PUT', []],
    ['DELETE', []],
  ];
  const isOptedIn = async () => (await call('GET', `/v1/contacts/${contactId}`, undefined, token)).json.email_opted_in;
  const verified = async () =>
    (await call('GET', '/v1/contacts?limit=100', undefined, token)).json.contacts.filter(
      ({ name_first, email_verified }: Record<string, unknown>) => name_first === 'Una' && email_verified,
    ).length;
  return [
    ...visits.map(([method, headers]) =>
      attack('links that are only visited', `${method} ${headers.join(': ')}`, async () => {
        for (const target of [paths.own, paths.verify]) {
          const answer = await send({ method, target, headers });
          must(!answer.text.includes('own-'), 'the page shows the whole address', answer.text);
        }
        must((await isOptedIn()) === true, 'a visit unsubscribes');
        must((await verified()) === 0, 'a visit verifies an address');
      }),
    ),
    ...['cross-site', 'same-site'].map((site) =>
      attack('links that are only visited', `a form of another site (${site}) verifies`, async () => {
        const headers: [string, string][] = [form, ['sec-fetch-site', site], ['origin', 'https://evil.example']];
        const answer = await send({ method: 'POST', target: paths.verify, headers, body: 'act=verify' });
        must(answer.status === 403, `status ${answer.status}`, answer.text);
        must((await verified()) === 0, 'another site verifies an address');
      }),
    ),
    ...['/outbox', `/outbox/${randomUUID()}/events`].flatMap((target) =>
      ['POST', 'DELETE', 'GET'].flatMap((method) =>
        [
          [['host', 'evil.example']],
          // A browser shows no page of another origin what a GET answers.
          ...(method === 'GET'
            ? []
            : [
                [
                  ['sec-fetch-site', 'cross-site'],
                  ['origin', 'https://evil.example'],
                ],
              ]),
        ].map((headers) =>
          attack(
            'the outbox from elsewhere',
            `${method} ${target.slice(0, 8)}… ${headers[0]!.join(': ')}`,
            async () => {
              const answer = await send({ method, target, headers: headers as [string, string][], body: '{}' });
              must(answer.status >= 400, `status ${answer.status}`, answer.text);
            },
          ),
        ),
      ),
    ),
  ];
}

/** A message has one recipient, its own headers, and nothing private or of a script, whatever a person is called. */
function mails({ baseUrl }: World, { mails: all }: Bank): Attack[] {
  const group = 'what messages hold';
  const own = all.filter(({ source }) => source.includes('bank.example'));
  return own.flatMap((mail, at) => {
    const head = mail.source.slice(0, mail.source.search(/\r?\n\r?\n/)).replaceAll(/\r?\n[ \t]/g, ' ');
    const headerNames = head.split(/\r?\n/).map((line) => line.split(':', 1)[0]!.toLowerCase());
    return [
      attack(group, `no header of a value, ${at}`, async () => {
        for (const name of ['bcc', 'cc', 'x-injected']) must(!headerNames.includes(name), `a header ${name}`, head);
        for (const name of ['to', 'from', 'subject', 'reply-to'])
          must(headerNames.filter((each) => each === name).length <= 1, `two headers ${name}`, head);
        must(/^[^\s,;<>]+@[^\s,;<>]+$/.test(mail.to), 'several recipients', mail.to);
      }),
      attack(group, `nothing private, ${at}`, async () => {
        for (const text of [mail.html, mail.text, mail.subject, JSON.stringify(mail.headers)])
          for (const value of [planted.value, planted.group, planted.birthdate, 'May 19'])
            must(!text.includes(value), `it holds ${value}`, text);
      }),
      attack(group, `no script, and images from the institution alone, ${at}`, async () => {
        must(!/<script|\son\w+=|javascript:/i.test(mail.html.replaceAll(/&lt;.*?&gt;/g, '')), 'a script', mail.html);
        for (const [, url = ''] of mail.html.matchAll(/<img[^>]*\ssrc="([^"]*)"/g)) {
          must(/^https:\/\/images\.example\//.test(url) || url.startsWith(baseUrl), `an image from ${url}`);
          must(!/@|%40|Olga|Otto|Eve/.test(url), `the address of an image holds a value: ${url}`);
        }
      }),
    ];
  });
}
