import { randomUUID } from 'node:crypto';
import { putContent } from '../support/content.ts';
import { type Attack, attack, must } from './attack.ts';
import { json, type Received } from './send.ts';
import type { World } from './world.ts';

const payloads = [
  '<script>attack()</script>',
  '"><img src=attack onerror=attack()>',
  "' onmouseover='attack()",
  '</style><script>attack()</script>',
  '</title><svg/onload=attack()>',
  '<!--<script>attack()//-->',
  '&lt;script&gt;attack()&lt;/script&gt;',
  '<a href="javascript:attack()">x</a>',
  '{{meta_private.limit}}',
  '{{{{name_last}}}}',
  '\u2028</script><script>attack()',
];
const fields = [
  'name_title',
  'name_first',
  'name_last',
  'name_suffix',
  'address',
  'address2',
  'city',
  'state',
  'county',
  'country',
  'timezone',
  'email',
];

/** The service's scripts are allowed by their hash. Text in quotes inside a tag is not markup. */
function harmless({ text, headers }: Received): void {
  must(!/<script>attack|<img src=attack|<svg\/onload/i.test(text), 'it is markup', text.slice(-1500));
  must(!/(?:href|src|action)="\s*javascript:/i.test(text), 'an address is a script', text.slice(-1500));
  const unquoted = text.replace(/"[^"]*"/g, '""');
  must(!/<[a-z][^>]* on\w+\s*=/i.test(unquoted), 'an element has a handler', text.slice(-1500));
  must(!text.includes('seven thousand'), 'private data is shown');
  const policy = String(headers['content-security-policy']);
  must(
    policy.includes("default-src 'none'") &&
      !/unsafe|script-src [^;]*\*|https?:/.test(policy.replace(/frame-ancestors[^;]*/, '')),
    'the policy allows more than hashes',
    policy,
  );
  must(headers['x-content-type-options'] === 'nosniff', 'no nosniff');
}

/** Every field of a contact and every key of its metadata, everywhere a campaign can show it. */
export async function markup({ call, send, database, ours }: World): Promise<Attack[]> {
  const [templateId, channelId, pageId] = [randomUUID(), randomUUID(), randomUUID()];
  const all = [...fields, 'unique_id', 'meta_public.evil'].map((name) => `{{${name}}}`).join(' ');
  const block = (type: string) => ({
    type,
    data: {
      heading: all,
      body: all,
      text: all,
      name: all,
      agreementText: all,
      documentLinkText: all,
      documentLinkUrl: '{{city}}',
      url: '{{city}}',
      altText: all,
      customClass: all,
    },
  });
  const content_blocks = [
    'heading',
    'text',
    'card',
    'button',
    'document_link',
    'agreement',
    'image',
    'survey',
    'unknown',
  ].map(block);
  const page = {
    ...{
      id: pageId,
      completion_condition: 'confirm',
      content: all,
      navigation_title: all,
      cta: all,
      completion_message: all,
      layout_basis: 'grid',
    },
    ...{
      content_blocks,
      content_containers: [{ engagement_channel_id: channelId, layout_basis: 'grid', content_blocks }],
    },
  };
  const before = { objectives: [], engagement_channels: [{ id: channelId, name: 'Markup' }] };
  const template = {
    id: templateId,
    name: all,
    status: 'live',
    content_block_status: 'published',
    is_cce_enabled: true,
    footer_content: { text: all },
    template_pages: [{ order: 1, page }],
  };
  await putContent(database, ours.teamId, { ...before, templates: [template] });
  return payloads.flatMap((payload) => {
    const open = async () => {
      const unique_id = `${payload} ${randomUUID()}`;
      const values = Object.fromEntries(fields.map((name) => [name, payload]));
      const contact = {
        ...values,
        unique_id,
        meta_public: { evil: payload, [payload]: payload },
        meta_private: { limit: 'seven thousand' },
      };
      const started = await call('POST', `/v1/templates/${templateId}/journeys`, {
        contact,
        name: payload,
        source: payload,
      });
      must(started.status === 201, `no journey: ${started.status}`, started.text);
      return { slug: started.json.slug as string, unique_id };
    };
    return [
      attack('markup in fields', `journey page: ${payload}`, async () => {
        const { slug } = await open();
        const shown = await send({ target: `/j/${slug}` });
        must(shown.status === 200, `status ${shown.status}`);
        harmless(shown);
        const confirmed = { type: 'page_completed', page_id: pageId };
        await send({ method: 'POST', target: `/j/${slug}/actions`, headers: [json], body: JSON.stringify(confirmed) });
        harmless(await send({ target: `/j/${slug}?page=${pageId}` }));
      }),
      attack('markup in fields', `channel content: ${payload}`, async () => {
        const { unique_id } = await open();
        const search = `/v1/engagement-channels/${channelId}/content-containers/search?unique_id=${encodeURIComponent(unique_id)}`;
        const { url } = (await call('GET', search)).json;
        const shown = await send({ target: new URL(url).pathname });
        must(shown.status === 200, `status ${shown.status}`);
        harmless(shown);
      }),
      attack('markup in addresses', `page: ${payload}`, async () => {
        const { slug } = await open();
        const shown = await send({ target: `/j/${slug}?page=${encodeURIComponent(payload)}` });
        must(shown.status === 404, `status ${shown.status}`);
        harmless(shown);
      }),
      attack('markup in addresses', `slug and reference: ${payload}`, async () => {
        for (const target of [`/j/${encodeURIComponent(payload)}`, `/c/${channelId}/${encodeURIComponent(payload)}`]) {
          const shown = await send({ target });
          must([400, 404].includes(shown.status), `status ${shown.status}`);
          must(!payload.includes('<') || !shown.text.includes(payload), 'the address is shown', shown.text);
        }
      }),
    ];
  });
}
