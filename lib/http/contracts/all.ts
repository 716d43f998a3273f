import type * as z from 'zod';
import type { Contract, Responses } from '../contract.ts';
import * as accountsResponses from '../responses/accounts.ts';
import * as batchesResponses from '../responses/batches.ts';
import * as channelPagesResponses from '../responses/channel-pages.ts';
import * as contactsResponses from '../responses/contacts.ts';
import * as engagementChannelsResponses from '../responses/engagement-channels.ts';
import * as eventsResponses from '../responses/events.ts';
import * as journeysResponses from '../responses/journeys.ts';
import * as oauthDocumentsResponses from '../responses/oauth-documents.ts';
import * as oauth2Responses from '../responses/oauth2.ts';
import * as objectivesResponses from '../responses/objectives.ts';
import * as pageActionsResponses from '../responses/page-actions.ts';
import * as pagesResponses from '../responses/pages.ts';
import * as publicDocumentsResponses from '../responses/public.ts';
import * as resultsResponses from '../responses/results.ts';
import * as templatesResponses from '../responses/templates.ts';
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
import * as oauthDocuments from './oauth-documents.ts';
import * as oauth2 from './oauth2.ts';
import * as objectives from './objectives.ts';
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
  described(oauth2.createToken, oauth2Responses.createToken),
  described(contacts.listContacts, contactsResponses.listContacts),
  described(contactWrites.upsertContacts, contactsResponses.upsertContacts),
  described(contacts.getContact, contactsResponses.getContact),
  described(contactWrites.updateContact, contactsResponses.updateContact),
  described(accounts.listContactAccounts, accountsResponses.listContactAccounts),
  described(batchCreate.createBatch, batchesResponses.createBatch),
  described(batches.getBatch, batchesResponses.getBatch),
  described(batches.findBatch, batchesResponses.findBatch),
  described(journeyStart.createJourney, journeysResponses.createJourney),
  described(journeys.listJourneys, journeysResponses.listJourneys),
  described(journeys.confirmJourney, journeysResponses.confirmJourney),
  described(journeys.listResponses, journeysResponses.listResponses),
  described(pageActions.recordAction, pageActionsResponses.recordAction),
  described(pages.showJourney, pagesResponses.showJourney),
  described(pages.askIdentity, pagesResponses.askIdentity),
  described(pages.checkIdentity, pagesResponses.checkIdentity),
  described(pages.recordView, pagesResponses.recordView),
  described(templates.listTemplates, templatesResponses.listTemplates),
  described(templates.getTemplate, templatesResponses.getTemplate),
  described(templates.listTemplateMessages, templatesResponses.listTemplateMessages),
  described(templates.listTemplatePages, templatesResponses.listTemplatePages),
  described(results.getTemplateResults, resultsResponses.getTemplateResults),
  described(results.listTemplateResponses, resultsResponses.listTemplateResponses),
  described(objectives.listObjectives, objectivesResponses.listObjectives),
  described(engagementChannels.listEngagementChannels, engagementChannelsResponses.listEngagementChannels),
  described(engagementChannels.searchContentContainers, engagementChannelsResponses.searchContentContainers),
  described(channelPages.showChannelContent, channelPagesResponses.showChannelContent),
  described(pageActions.recordContentAction, pageActionsResponses.recordContentAction),
  described(channelPages.recordContentView, channelPagesResponses.recordContentView),
  described(events.listEvents, eventsResponses.listEvents),
  described(publicDocuments.getFile, publicDocumentsResponses.getFile),
  described(publicDocuments.getOpenapi, publicDocumentsResponses.getOpenapi),
  described(oauthDocuments.getOauthMetadata, oauthDocumentsResponses.getOauthMetadata),
  described(oauthDocuments.getJwks, oauthDocumentsResponses.getJwks),
];
