import { randomUUID } from 'node:crypto';
import { type Area, type Attack, attack, must } from './attack.ts';
import { form, json } from './send.ts';
import type { World } from './world.ts';

/** Pages: no other site acts through them, and no URL is guessed or manipulated. */
export const pages: Area = async (world) => [
  ...sites(world),
  ...slugs(world),
  ...references(world),
  ...redirects(world),
  ...framing(world),
  ...proofs(world),
];

/** Requests that another site makes a browser send have no effect. */
function sites({ ours, send }: World): Attack[] {
  const origins: [string, [string, string][]][] = [
    ['cross-site', [['sec-fetch-site', 'cross-site']]],
    [
      'cross-site with our origin',
      [
        ['sec-fetch-site', 'cross-site'],
        ['origin', 'null'],
      ],
    ],
    [
      'cross-site, a navigation',
      [
        ['sec-fetch-site', 'cross-site'],
        ['sec-fetch-mode', 'navigate'],
        ['sec-fetch-dest', 'document'],
      ],
    ],
  ];
  const confirmation = `type=page_completed&page_id=${ours.pageId}`;
  const targets: [string, [string, string], string][] = [
    [`/j/${ours.slug}/actions`, form, confirmation],
    [`/j/${ours.slug}/actions`, json, JSON.stringify({ type: 'page_completed', page_id: ours.pageId })],
    [`/c/${ours.channelId}/${ours.reference}/actions`, form, 'type=page_completed'],
  ];
  return origins.flatMap(([name, headers]) => [
    ...targets.map(([target, type, body]) =>
      attack('other sites', `${name}: ${type[1]} to ${target.slice(0, 3)}…`, async () => {
        const { status, text } = await send({ method: 'POST', target, headers: [type, ...headers], body });
        must(status === 403, `status ${status}`, text);
      }),
    ),
    attack('other sites', `${name}: the identity check`, async () => {
      const body = 'birth_month=3&birth_day=27&birth_year=1985&post_code=94110';
      const answer = await send({
        method: 'POST',
        target: `/j/${ours.closedSlug}/identity`,
        headers: [form, ...headers],
        body,
      });
      must(answer.headers['set-cookie'] === undefined, 'a proof was given', answer.headers);
    }),
  ]);
}

/** The page for an unknown URL. */
function slugs({ ours, send }: World): Attack[] {
  const { slug } = ours;
  const near = [
    slug.slice(1),
    slug.slice(0, -1),
    `${slug}A`,
    `A${slug}`,
    slug.toUpperCase(),
    slug.toLowerCase(),
    [...slug].reverse().join(''),
    `${slug}%20`,
    `${slug}%00`,
    `%20${slug}`,
    `${slug}.`,
    `${slug}=`,
    slug.slice(0, 22),
  ];
  const changed = [...slug].map((_, at) => slug.slice(0, at) + (slug[at] === 'A' ? 'B' : 'A') + slug.slice(at + 1));
  const guessed = Array.from({ length: 200 }, () => randomUUID().replaceAll('-', '').slice(0, 24));
  const others = [
    ours.journeyId,
    ours.contactId,
    ours.templateId,
    '',
    '*',
    '..',
    'null',
    '0'.repeat(24),
    '_'.repeat(24),
  ];
  return [...near, ...changed, ...guessed, ...others].flatMap((text) =>
    ['', '/identity', `/pages/${ours.pageId}/viewed.gif`].map((end) =>
      attack('guessed slugs', `/j/${text}${end}`, async () => {
        const answer = await send({
          target: `/j/${text}${end}`,
          headers: [
            ['sec-fetch-dest', 'image'],
            ['sec-fetch-site', 'same-origin'],
          ],
        });
        const isImage = end.endsWith('.gif') && answer.status === 200;
        // What a mail program appends is forgiven: a caller with the whole slug is sent to its page, and nowhere else.
        const isWhole = end === '' && text.startsWith(slug) && answer.headers.location === `/j/${slug}`;
        const isForgiven = isWhole && answer.status === 302;
        must(isImage || isForgiven || [400, 404, 405].includes(answer.status), `status ${answer.status}`);
        must(!/Annabel|Attacked/.test(answer.text), 'it shows something of a journey');
      }),
    ),
  );
}

function references({ ours, send }: World): Attack[] {
  const { reference, channelId } = ours;
  const places = [...reference].map((_, at) => at);
  const altered = places.flatMap((at) => [
    reference.slice(0, at) + (reference[at] === 'A' ? 'B' : 'A') + reference.slice(at + 1),
    reference.slice(0, at) + reference.slice(at + 1),
    reference.slice(0, at),
  ]);
  const others = [
    `${reference}A`,
    `${reference}.`,
    `${reference}=`,
    `${reference}%00`,
    reference.toUpperCase(),
    reference.split('.').reverse().join('.'),
    reference.replace(/\.\d+\./, '.2.'),
    reference.replace(/\.\d+\./, '.0.'),
    reference.replace(/\.\d+\./, '.'),
  ];
  return [...altered, ...others]
    .filter((text) => text !== '' && text !== reference)
    .map((text) =>
      attack('altered references', text.slice(0, 12) + text.length, async () => {
        const answer = await send({ target: `/c/${channelId}/${text}` });
        must(answer.status === 404 || answer.status === 400, `status ${answer.status}`);
        must(!answer.text.includes('Yours'), 'it shows content');
      }),
    );
}

/** A form always leads back to its page, whatever its fields and the `Host` header contain. */
function redirects({ ours, send, baseUrl }: World): Attack[] {
  const elsewhere = [
    'https://attacker.example',
    '//attacker.example',
    '/\\attacker.example',
    '%0d%0aLocation:%20https://attacker.example',
    'javascript:attack()',
  ];
  const hosts: [string, string][][] = [
    [],
    [['host', 'attacker.example']],
    [['x-forwarded-host', 'attacker.example']],
    [['referer', 'https://attacker.example/']],
  ];
  return elsewhere.flatMap((address) =>
    hosts.map((headers) =>
      attack('open redirects', `${address} with ${headers[0]?.[0] ?? 'nothing'}`, async () => {
        for (const name of ['stay', 'next', 'return_to', 'redirect_uri', 'url', 'page']) {
          const body = `type=page_viewed&page_id=${ours.pageId}&${name}=${encodeURIComponent(address)}`;
          const answer = await send({
            method: 'POST',
            target: `/j/${ours.slug}/actions?${name}=${encodeURIComponent(address)}`,
            headers: [form, ...headers],
            body,
          });
          const location = String(answer.headers.location ?? '');
          const { origin, pathname } = new URL(location, baseUrl);
          const isOwn = origin === new URL(baseUrl).origin && pathname === `/j/${ours.slug}`;
          must(answer.status !== 303 || isOwn, `leads to ${location}`);
          must(
            !JSON.stringify(answer.headers).includes('attacker.example'),
            'the address is in a header',
            answer.headers,
          );
        }
      }),
    ),
  );
}

function framing({ ours, send }: World): Attack[] {
  const targets = [
    `/j/${ours.slug}`,
    `/j/${ours.closedSlug}`,
    `/j/${ours.slug}/identity`,
    '/j/unknown-unknown-unknown-1',
    '/docs',
  ];
  return targets.map((target) =>
    attack('frames', target.slice(0, 12), async () => {
      const { headers, status } = await send({ target });
      const policy = String(headers['content-security-policy']);
      must(
        policy.includes("frame-ancestors 'none'") || headers['x-frame-options'] === 'DENY' || status >= 300,
        'it may be framed',
        headers,
      );
      must(
        headers['referrer-policy'] === 'no-referrer' || target === '/docs' || status >= 300,
        'it tells where it came from',
        headers,
      );
      must(headers['access-control-allow-origin'] === undefined, 'other sites may read it');
    }),
  );
}

/** A page with an identity check shows and accepts nothing before it. */
function proofs({ ours, theirs, send }: World): Attack[] {
  const group = 'identity';
  const target = `/j/${ours.closedSlug}`;
  const cookies = [
    '',
    'x',
    '1.x',
    `1.${'A'.repeat(200)}`,
    ours.cursor,
    ours.reference,
    ours.reference.split('.').slice(1).join('.'),
    theirs.reference,
    encodeURIComponent('{"proved":true}'),
    '__proto__',
  ];
  return [
    ...cookies.map((cookie) =>
      attack(group, `a made-up proof ${cookie.slice(0, 20)}`, async () => {
        const { status, text } = await send({ target, headers: [['cookie', `identity=${cookie}`]] });
        must(status === 200 && text.includes('Please confirm'), `status ${status}`);
        must(!/Annabel|1985-03-27|94110|seven thousand/.test(text), 'it shows something of the contact', text);
      }),
    ),
    ...['page_viewed', 'page_completed'].map((type) =>
      attack(group, `${type} without a proof`, async () => {
        const body = JSON.stringify({ type, page_id: ours.closedPageId });
        const { status, json: answer } = await send({
          method: 'POST',
          target: `${target}/actions`,
          headers: [json],
          body,
        });
        must(status === 403 && answer.error === 'identity_required', `status ${status}`, answer);
      }),
    ),
    attack(group, 'an answer that is an object', async () => {
      const { status, headers } = await send({
        method: 'POST',
        target: `${target}/identity`,
        headers: [form],
        body: 'birth_year[]=1985&birth_month[$ne]=1&birth_day=27&post_code[]=94110',
      });
      must(status === 422 && headers['set-cookie'] === undefined, `status ${status}`);
    }),
  ];
}
