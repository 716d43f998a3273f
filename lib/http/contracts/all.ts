import type * as z from 'zod';
import type { Contract, Responses } from '../contract.ts';
import * as batchesResponses from '../responses/batches.ts';
import * as campaignsResponses from '../responses/campaigns.ts';
import * as contactsResponses from '../responses/contacts.ts';
import * as journeysResponses from '../responses/journeys.ts';
import * as pagesResponses from '../responses/pages.ts';
import * as publicResponses from '../responses/public.ts';
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

/** A contract with its responses, for the OpenAPI document. */
export type DescribedContract = Contract & { responses: Responses };

const described = <Declared extends Responses>(
  contract: Contract<z.ZodType, z.ZodType, Declared>,
  responses: Declared,
): DescribedContract => ({ ...contract, responses });

/** Every contract, in the order of the document's tags. A test compares this list with the routes. */
export const contracts: readonly DescribedContract[] = [
  described(oauth2.createToken, publicResponses.createToken),
  described(contacts.listContacts, contactsResponses.listContacts),
  described(contactWrites.upsertContacts, contactsResponses.upsertContacts),
  described(contacts.getContact, contactsResponses.getContact),
  described(contactWrites.updateContact, contactsResponses.updateContact),
  described(accounts.listContactAccounts, contactsResponses.listContactAccounts),
  described(batchCreate.createBatch, batchesResponses.createBatch),
  described(batches.getBatch, batchesResponses.getBatch),
  described(batches.findBatch, batchesResponses.findBatch),
  described(journeyStart.createJourney, journeysResponses.createJourney),
  described(journeys.listJourneys, journeysResponses.listJourneys),
  described(journeys.confirmJourney, journeysResponses.confirmJourney),
  described(journeys.listResponses, journeysResponses.listResponses),
  described(pageActions.recordAction, pagesResponses.recordAction),
  described(pages.showJourney, pagesResponses.showJourney),
  described(pages.askIdentity, pagesResponses.askIdentity),
  described(pages.checkIdentity, pagesResponses.checkIdentity),
  described(pages.recordView, pagesResponses.recordView),
  described(templates.listTemplates, campaignsResponses.listTemplates),
  described(templates.getTemplate, campaignsResponses.getTemplate),
  described(templates.listTemplateMessages, campaignsResponses.listTemplateMessages),
  described(templates.listTemplatePages, campaignsResponses.listTemplatePages),
  described(results.getTemplateResults, campaignsResponses.getTemplateResults),
  described(results.listTemplateResponses, campaignsResponses.listTemplateResponses),
  described(templates.listObjectives, campaignsResponses.listObjectives),
  described(engagementChannels.listEngagementChannels, campaignsResponses.listEngagementChannels),
  described(engagementChannels.searchContentContainers, campaignsResponses.searchContentContainers),
  described(channelPages.showChannelContent, pagesResponses.showChannelContent),
  described(pageActions.recordContentAction, pagesResponses.recordContentAction),
  described(channelPages.recordContentView, pagesResponses.recordContentView),
  described(events.listEvents, campaignsResponses.listEvents),
  described(publicDocuments.getFile, publicResponses.getFile),
  described(publicDocuments.getOpenapi, publicResponses.getOpenapi),
  described(publicDocuments.getOauthMetadata, publicResponses.getOauthMetadata),
  described(publicDocuments.getJwks, publicResponses.getJwks),
];
