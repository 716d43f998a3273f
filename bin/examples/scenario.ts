import { readFileSync } from 'node:fs';
import type { Exchange } from '../../lib/http/openapi/exchanges.ts';
import { withPlaceholders } from './placeholders.ts';
import { Recorder } from './recorder.ts';

type Credential = { base_url: string; client_id: string; client_secret: string };
/** The campaign content that the team must have. */
const sampleContent = readFileSync(new URL('../../examples/campaigns.json', import.meta.url), 'utf8');

const template = 'fb7d45b1-c999-45e2-a591-94482fc67b5f';
const archivedTemplate = '2d823d8d-aeae-4fb0-bd13-7ccf31e64362';
const viewedPage = 'b516fdf6-4655-4ae0-bd6a-fc6b10b2c53e';
const confirmedPage = '1adf8e80-2f11-4173-a2e6-7762119db805';
const agreementBlock = 'e7cddfa3-0c6a-494e-a8ab-1c5657f57550';
const objectivePage = '780b2845-9d00-4ab3-96b0-374c4a4628af';
const channel = '43c7bdd3-64e6-46dd-bcdc-72773cd7e705';

type Part = (recorder: Recorder, context: Context) => Promise<void>;
type Context = Credential & { names: Map<string, string> };

/**
 * Calls the whole interface with the credential of a team that has only the sample content. Returns the exchanges with
 * placeholders, so that they are the same each time.
 */
export async function recordedExchanges(credential: Credential): Promise<Exchange[]> {
  const since = Date.now() - 60_000;
  const recorder = new Recorder(credential.base_url);
  const names = new Map([
    [basic(credential), 'Q0xJRU5UX0lEOkNMSUVOVF9TRUNSRVQ='],
    [credential.client_secret, 'CLIENT_SECRET'],
    [credential.client_id, 'CLIENT_ID'],
    [credential.base_url, '{base_url}'],
  ]);
  const context = { ...credential, names };
  for (const part of [
    authentication,
    contacts,
    batches,
    journeys,
    campaigns,
    events,
    lookups,
    documents,
    refusals,
    endings,
  ]) {
    await part(recorder, context);
  }
  return withPlaceholders(recorder.exchanges, { names, isFixed: (id) => sampleContent.includes(id), since });
}

const basic = ({ client_id, client_secret }: Credential) =>
  Buffer.from(`${client_id}:${client_secret}`).toString('base64');

const authentication: Part = async (recorder, context) => {
  const { exchange } = recorder;
  const { client_id, client_secret, names } = context;
  const grant_type = 'client_credentials';
  const issued = await exchange('tokenByBasic', 'Credentials in Basic authentication', 'POST /oauth2/token', {
    body: new URLSearchParams({ grant_type }),
    headers: { authorization: `Basic ${basic(context)}` },
  });
  recorder.token = issued.access_token;
  names.set(recorder.token, 'ACCESS_TOKEN');
  const body = { grant_type, client_id, client_secret };
  const again = await exchange('tokenByBody', 'Credentials in the body', 'POST /oauth2/token', {
    body: new URLSearchParams(body),
  });
  names.set(again.access_token, 'ACCESS_TOKEN');
  await exchange('wrongSecret', 'A wrong secret', 'POST /oauth2/token', { body: { ...body, client_secret: 'WRONG' } });
  await exchange('wrongGrant', 'A grant type that is not supported', 'POST /oauth2/token', {
    body: { ...body, grant_type: 'password' },
  });
  await exchange('credentialsInAddress', 'A client id in the query string', 'POST /oauth2/token?client_id=UNKNOWN', {
    body,
  });
};

const contacts: Part = async ({ exchange }, context) => {
  const ada = {
    unique_id: 'cif-1042',
    name_first: 'Ada',
    name_last: 'Lovell',
    email: 'ada.lovell@example.com',
    phone_mobile: '(555) 010-4477',
    birthdate: '1988-02-29',
    email_verified: true,
    email_opted_in: true,
    meta_public: { car: { make: 'Saab', colours: ['red', 'black'] } },
    meta_private: { core_id: 'A-77310' },
  };
  const { id } = await exchange('newContact', 'A `unique_id` that is new creates a contact', 'POST /v1/contacts', {
    body: ada,
  });
  await exchange('knownContact', 'A `unique_id` that exists updates its contact', 'POST /v1/contacts', {
    body: { unique_id: ada.unique_id, city: 'Duluth', digital_banking_enrolled: 'yes' },
  });
  await exchange('deprecatedField', 'A deprecated field is accepted, and named in the headers', 'POST /v1/contacts', {
    body: { unique_id: ada.unique_id, unsubscribe_sms: true },
  });
  await exchange('severalContacts', 'Several at once, one of them new', 'POST /v1/contacts', {
    body: {
      contacts: [
        { unique_id: ada.unique_id, state: 'MN' },
        { email: 'ben.okafor@example.com', name_first: 'Ben', name_last: 'Okafor' },
      ],
    },
  });
  await exchange('contactById', 'The contact', `GET /v1/contacts/${id}`);
  await exchange('contactByPut', 'Fields that are sent are set', `PUT /v1/contacts/${id}`, {
    body: { timezone: 'America/Chicago' },
  });
  await exchange('contactByPatch', '`null` clears', `PATCH /v1/contacts/${id}`, { body: { timezone: null } });
  const first = '/v1/contacts?limit=1&offset=0&sort_column=name_last&sort_direction=desc&search=example.com';
  const page = await exchange('firstPage', 'The first of two contacts', `GET ${first}`);
  context.names.set(page.next_cursor, 'NEXT_CURSOR');
  await exchange('nextPage', 'The next page', `GET /v1/contacts?cursor=${page.next_cursor}`);
  await exchange('limitOutOfRange', 'A `limit` beyond the maximum', 'GET /v1/contacts?limit=1000');
  await exchange('noIdentity', 'Neither `unique_id` nor `email`', 'POST /v1/contacts', {
    body: { name_first: 'Nobody', birthdate: '2023-02-29' },
  });
  await exchange('otherUniqueId', 'A `unique_id` cannot be changed', `PUT /v1/contacts/${id}`, {
    body: { unique_id: 'cif-9999' },
  });
};

const batches: Part = async (recorder) => {
  const { exchange } = recorder;
  const product = { code: 'FREECHK', type: 'checking', name: 'Free Checking' };
  const accounts = [
    { account_number: '700100', contact: { unique_id: 'cif-1042', role: 'primary' }, product, balance: '1520.75' },
    { account_number: '700100', contact: { unique_id: 'ben.okafor@example.com', role: 'joint' } },
  ];
  const chunk = { type: 'accounts', batch_id: 'nightly-2026-03-02', chunk_index: 0, records: accounts };
  await exchange('firstChunk', 'The first chunk of a batch', 'POST /v1/batches', { body: chunk });
  await exchange('chunkAgain', 'The same pair again is not applied twice', 'POST /v1/batches', { body: chunk });
  await recorder.until<{ status: string }>(`/v1/batches/${chunk.batch_id}`, ({ status }) => status === 'completed');
  await exchange('finishedBatch', 'All records are applied', `GET /v1/batches/${chunk.batch_id}`);
  await exchange('batchByParameter', 'The same batch by query parameter', `GET /v1/batches?batch_id=${chunk.batch_id}`);
  const { contacts: holders } = await recorder.read('/v1/contacts?search=cif-1042');
  await exchange('accountsOfContact', 'The contact has one account', `GET /v1/contacts/${holders[0]!.id}/accounts`);
  await exchange('noBatchId', '`chunk_index` without `batch_id`', 'POST /v1/batches', {
    body: { type: 'accounts', chunk_index: 0, records: accounts },
  });
  await exchange('standardizedTypeNull', '`standardized_type` is `null`', 'POST /v1/batches', {
    body: { type: 'accounts', records: [{ ...accounts[0], product: { ...product, standardized_type: null } }] },
  });
  await exchange('batchIdMissing', 'Without `batch_id`', 'GET /v1/batches?chunk_index=0');
  await exchange('unknownBatch', 'An unknown batch id', 'GET /v1/batches/nightly-1999-12-31');
};

const journeys: Part = async (recorder, context) => {
  const { exchange } = recorder;
  const path = `/v1/templates/${template}/journeys`;
  const body = { contact: { unique_id: 'cif-1042' }, source: 'branch-12' };
  const started = await exchange('newJourney', 'The contact’s first journey of this campaign', `POST ${path}`, {
    body,
  });
  context.names.set(started.slug, 'JOURNEY_SLUG');
  const messages = `/v1/journeys/${started.id}/messages`;
  // The first one is due at once. It must be sent before the journey is completed.
  await recorder.until<{ messages: { sent_at: string | null }[] }>(messages, (of) => of.messages[0]?.sent_at != null);
  await exchange('journeyMessages', 'One message that was sent, and one that is still to come', `GET ${messages}`);
  await exchange('journeyOfNobody', 'A contact without `unique_id` and `email`', `POST ${path}`, {
    body: { contact: { city: 'Duluth' } },
  });
  await exchange('sameJourney', 'The existing journey', `POST ${path}`, { body });
  await exchange('archivedCampaign', 'An archived campaign', `POST /v1/templates/${archivedTemplate}/journeys`, {
    body,
  });
  const actions = `POST /j/${started.slug}/actions`;
  await exchange('pageViewed', 'Sent by a program', actions, { body: { type: 'page_viewed', page_id: viewedPage } });
  const form = new URLSearchParams({
    ...{ type: 'page_completed', page_id: confirmedPage },
    ...{ block_id: agreementBlock, answer: 'accepted', typed_name: 'Maria Alvarez' },
  });
  await exchange('pageConfirmed', 'Sent by the form of the page', actions, { body: form });
  await exchange('responses', 'An agreement that was signed', `GET /v1/journeys/${started.id}/responses`);
  await exchange('notCompletable', 'A page that an objective completes', actions, {
    body: { type: 'page_completed', page_id: objectivePage },
  });
  const { contacts: travellers } = await recorder.read('/v1/contacts?search=cif-1042');
  const list = `GET /v1/journeys?contact_id=${travellers[0]!.id}`;
  await exchange('journeysOfContact', 'The journeys of a contact', list, { cut: true });
  await exchange('contactIdMissing', 'Without `contact_id` and `template_id`', 'GET /v1/journeys');
  await exchange('notConfirmed', 'A value that is neither `true` nor `false`', `PUT ${path}/${started.id}`, {
    body: { is_completion_confirmed: 'yes' },
  });
  await exchange('confirmedJourney', 'A confirmed completion', `PUT ${path}/${started.id}`, {
    body: { is_completion_confirmed: true },
  });
};

const events: Part = async (recorder, context) => {
  const { exchange } = recorder;
  const first = '/v1/events?type=journey.*&limit=1';
  // Events are published shortly after the changes. `has_more` is true once there are two of them.
  await recorder.until<{ has_more: boolean }>(first, ({ has_more }) => has_more);
  const { next_cursor } = await exchange('events', 'The first event of a journey', `GET ${first}`);
  context.names.set(next_cursor, 'NEXT_CURSOR');
  const url = 'https://receiver.invalid/events';
  const made = await exchange('newWebhook', 'A webhook for some types', 'POST /v1/webhooks', {
    body: { url, types: ['journey.*', 'batch.failed'] },
  });
  context.names.set(made.secret, 'whsec_SECRET');
  const one = `/v1/webhooks/${made.id}`;
  await exchange('privateWebhook', 'A URL that is not public', 'POST /v1/webhooks', {
    body: { url: 'http://10.0.0.1/', types: ['journey.lost'] },
  });
  await exchange('webhooks', 'The webhooks', 'GET /v1/webhooks');
  await exchange('webhook', 'One webhook', `GET ${one}`);
  const rotated = await exchange('rotatedWebhook', 'A new secret', `POST ${one}/rotate`);
  context.names.set(rotated.secret, 'whsec_NEW_SECRET');
  await exchange('testedWebhook', 'A receiver whose name is not found', `POST ${one}/test`);
  await exchange('deletedWebhook', 'A webhook that ends', `DELETE ${one}`);
  await exchange('unknownEventType', 'A type that does not exist', 'GET /v1/events?type=journey.lost');
};

const campaigns: Part = async (recorder, context) => {
  const { exchange } = recorder;
  const cut = true;
  await exchange('campaigns', 'The campaigns', 'GET /v1/templates', { cut });
  const one = `GET /v1/templates/${template}`;
  await exchange('campaign', 'With the survey flag', `${one}?has_survey_content_blocks=true`, { cut });
  await exchange('flagNotBoolean', 'A flag that is neither `true` nor `false`', `${one}?has_survey_content_blocks=1`);
  await exchange('unknownCampaign', 'An unknown template id', `GET /v1/templates/${channel}`);
  await exchange('messages', 'The messages', `${one}/template_messages`, { cut });
  await exchange('pages', 'The pages', `${one}/template_pages`, { cut });
  // The confirmation of the journey is counted after everything else in it.
  await recorder.until<{ journeys: { verified: number }; messages: { sent: number }[] }>(
    `/v1/templates/${template}/results`,
    ({ journeys, messages }) => journeys.verified > 0 && messages[0]!.sent > 0,
  );
  const { by_day } = await exchange('results', 'The results', `${one}/results`, { cut });
  for (const { date } of by_day) context.names.set(`"date":"${date}"`, '"date":"2026-03-02"');
  const ofTemplate = `GET /v1/journeys?template_id=${template}&limit=1`;
  await exchange('journeysOfTemplate', 'The journeys of a template', ofTemplate);
  await exchange('templateResponses', 'The first response', `${one}/responses?limit=1`);
  await exchange('objectives', 'The objectives', 'GET /v1/objectives');
};

const lookups: Part = async ({ exchange }, context) => {
  await exchange('channels', 'The channels', 'GET /v1/engagement-channels');
  const search = `GET /v1/engagement-channels/${channel}/content-containers/search`;
  const found = await exchange('contentOfContact', 'One contact matches', `${search}?meta_private[core_id]=A-77310`);
  context.names.set(referenceIn(found), 'CONTENT_REFERENCE');
  const none = await exchange('defaultContent', 'No contact matches', `${search}?unique_id=nobody`);
  context.names.set(referenceIn(none), 'DEFAULT_CONTENT');
  await exchange('noParameter', 'Without a field to match', search);
};

const referenceIn = ({ url }: { url: string }): string => new URL(url).pathname.split('/').at(-1)!;

const documents: Part = async ({ exchange }, { names }) => {
  await exchange('metadata', 'The metadata', 'GET /.well-known/oauth-authorization-server');
  const { keys } = await exchange('publicKeys', 'The keys', 'GET /.well-known/jwks.json', { cut: true });
  for (const { kid, x, y } of keys) {
    names.set(kid, 'KEY_ID').set(x, 'X_COORDINATE').set(y, 'Y_COORDINATE');
  }
};

const refusals: Part = async ({ exchange }) => {
  await exchange('noToken', 'Without a token', 'GET /v1/contacts', { isAnonymous: true });
  await exchange('unknownContact', 'An unknown contact id', `GET /v1/contacts/${channel}`);
  await exchange('brokenJson', 'A body that is not an object', 'POST /v1/contacts', { body: [] });
  await exchange('notJson', 'A body with another media type', 'POST /v1/contacts', {
    body: { unique_id: 'cif-1042' },
    headers: { 'content-type': 'text/csv' },
  });
};

/** The last part: nothing can be done in a cancelled journey, and the contact is deleted within a minute. */
const endings: Part = async (recorder) => {
  const { contacts: travellers } = await recorder.read('/v1/contacts?search=cif-1042');
  const [journey] = await recorder.read(`/v1/journeys?contact_id=${travellers[0]!.id}`);
  await recorder.exchange('cancelledJourney', 'A cancelled journey', `POST /v1/journeys/${journey.id}/cancel`);
  const verification = { body: { channel: 'email' } };
  const verified = `POST /v1/contacts/${travellers[0]!.id}/verifications`;
  await recorder.exchange('verification', 'The contact is sent a link', verified, verification);
  const { contacts: leaving } = await recorder.read('/v1/contacts?search=okafor');
  await recorder.exchange('erasedContact', 'The contact will be erased', `DELETE /v1/contacts/${leaving[0]!.id}`);
};
