import type { Contract } from '../contract.ts';
import { listContactAccounts } from './accounts.ts';
import { createBatch, findBatch, getBatch } from './batches.ts';
import { recordContentAction, recordContentView, showChannelContent } from './channel-pages.ts';
import { getContact, listContacts, updateContact, upsertContacts } from './contacts.ts';
import { listEngagementChannels, searchContentContainers } from './engagement-channels.ts';
import { confirmJourney, createJourney, listJourneys, listResponses, recordAction } from './journeys.ts';
import { getJwks, getOauthMetadata } from './oauth-documents.ts';
import { createToken } from './oauth2.ts';
import { listObjectives } from './objectives.ts';
import { askIdentity, checkIdentity, recordView, showJourney } from './pages.ts';
import { getFile, getOpenapi } from './public.ts';
import { getTemplateResults, listTemplateResponses } from './results.ts';
import { getTemplate, listTemplateMessages, listTemplatePages, listTemplates } from './templates.ts';

/** Every contract, in the order of the document's tags. A test compares this list with the routes. */
export const contracts: readonly Contract[] = [
  createToken,
  listContacts,
  upsertContacts,
  getContact,
  updateContact,
  listContactAccounts,
  createBatch,
  getBatch,
  findBatch,
  createJourney,
  listJourneys,
  confirmJourney,
  listResponses,
  recordAction,
  showJourney,
  askIdentity,
  checkIdentity,
  recordView,
  listTemplates,
  getTemplate,
  listTemplateMessages,
  listTemplatePages,
  getTemplateResults,
  listTemplateResponses,
  listObjectives,
  listEngagementChannels,
  searchContentContainers,
  showChannelContent,
  recordContentAction,
  recordContentView,
  getFile,
  getOpenapi,
  getOauthMetadata,
  getJwks,
];
