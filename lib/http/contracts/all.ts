import type { Contract, Responses } from '../contract.ts';
import * as batchesResponses from '../responses/batches.ts';
import * as campaignsResponses from '../responses/campaigns.ts';
import * as contactsResponses from '../responses/contacts.ts';
import * as journeysResponses from '../responses/journeys.ts';
import * as pagesResponses from '../responses/pages.ts';
import * as publicResponses from '../responses/public.ts';
import * as webhooksResponses from '../responses/webhooks.ts';
import * as accounts from './accounts.ts';
import * as batchCreate from './batch-create.ts';
import * as batches from './batches.ts';
import * as channelPages from './channel-pages.ts';
import * as contactWrites from './contact-writes.ts';
import * as contacts from './contacts.ts';
import * as engagementChannels from './engagement-channels.ts';
import * as events from './events.ts';
import * as journeyStart from './journey-start.ts';
import * as journeys from './journeys.ts';
import * as oauth2 from './oauth2.ts';
import * as pageActions from './page-actions.ts';
import * as pages from './pages.ts';
import * as publicDocuments from './public.ts';
import * as results from './results.ts';
import * as templates from './templates.ts';
import * as webhooks from './webhooks.ts';

/** A contract with its responses, for the OpenAPI document. */
export type DescribedContract = Contract & { responses: Responses };

const { pageAction: _, contentAction: __, ...actions } = pageActions;
const declared = {
  ...{
    ...oauth2,
    ...contacts,
    ...contactWrites,
    ...accounts,
    ...batchCreate,
    ...batches,
    ...journeyStart,
    ...journeys,
  },
  ...{ ...actions, ...pages, ...templates, ...results, ...engagementChannels, ...channelPages, ...events, ...webhooks },
  ...publicDocuments,
};
const responses: Record<keyof typeof declared, Responses> = {
  ...{ ...publicResponses, ...contactsResponses, ...batchesResponses },
  ...{ ...journeysResponses, ...pagesResponses, ...campaignsResponses, ...webhooksResponses },
};

/** Every contract. It has the same name as its responses. A test compares this list with the routes. */
export const contracts: readonly DescribedContract[] = (Object.keys(declared) as (keyof typeof declared)[]).map(
  (name) => ({ ...declared[name], responses: responses[name] }),
);
