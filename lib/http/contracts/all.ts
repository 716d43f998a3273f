import type { Contract } from '../contract.ts';
import { listContactAccounts } from './accounts.ts';
import { createBatch, findBatch, getBatch } from './batches.ts';
import { getContact, listContacts, updateContact, upsertContacts } from './contacts.ts';
import { createToken, getJwks, getOauthMetadata } from './oauth2.ts';
import { getOpenapi } from './public.ts';

/** Every contract, in the order of the document's tags. A test holds this list against the routes. */
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
  getOpenapi,
  getOauthMetadata,
  getJwks,
];
