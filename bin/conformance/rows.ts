import type { CheckedRow, Row } from './row.ts';
import { accountFieldRows } from './rows/account-fields.ts';
import { accountRows } from './rows/accounts.ts';
import { additionRows } from './rows/additions.ts';
import { authenticationRows } from './rows/authentication.ts';
import { batchAdditionRows } from './rows/batch-additions.ts';
import { batchRows } from './rows/batches.ts';
import { campaignEndpointRows } from './rows/campaign-endpoints.ts';
import { campaignRows } from './rows/campaigns.ts';
import { channelRows } from './rows/channels.ts';
import { contactEndpointRows } from './rows/contact-endpoints.ts';
import { contactRuleRows } from './rows/contact-rules.ts';
import { contactRows } from './rows/contacts.ts';
import { errorRows } from './rows/errors.ts';
import { generalRows } from './rows/general.ts';
import { completionRows } from './rows/journey-pages.ts';
import { journeyRows } from './rows/journeys.ts';
import { limitRows } from './rows/limits.ts';

/** The headings of the specification, in its order, then what the specification leaves open. */
export const sections = [
  'What the service does',
  'Contact',
  'Rules for contacts',
  'unique_id rules',
  'meta_public and meta_private behaviour',
  'Account',
  'Rules for accounts',
  'Contact account',
  'Journey',
  'analytics_cache',
  'Template (campaign)',
  'Content block',
  'Template message',
  'Template page',
  'Template page: completion',
  'Objective',
  'Token',
  'States and transitions',
  'Endpoints',
  'POST /oauth2/token',
  'GET /v1/contacts',
  'POST /v1/contacts (single upsert)',
  'POST /v1/contacts (batch upsert)',
  'PUT /v1/contacts/:id and PATCH /v1/contacts/:id',
  'GET /v1/contacts/:contact_id/accounts',
  'POST /v1/batches',
  'POST /v1/templates/:template_id/journeys',
  'GET /v1/journeys',
  'PUT /v1/templates/:template_id/journeys/:journey_id',
  'GET /v1/templates',
  'GET /v1/templates/:id',
  'GET /v1/templates/:id/template_messages',
  'GET /v1/templates/:id/template_pages',
  'GET /v1/objectives',
  'GET /v1/engagement-channels/:channel_id/content-containers/search',
  'Authentication',
  'Events',
  'Errors',
  'Limits',
  'Versioning',
  'Errors and limits where the specification is silent',
  'Additions to the specification',
] as const;

const made: readonly Row[] = [
  ...[generalRows, contactRows, contactRuleRows, accountFieldRows, accountRows, journeyRows, campaignRows].flat(),
  ...[completionRows, authenticationRows, contactEndpointRows, batchRows, campaignEndpointRows, channelRows].flat(),
  ...[errorRows, limitRows, additionRows, batchAdditionRows].flat(),
];

/** All rows, in the order of the specification. */
export const rows: readonly Row[] = sections.flatMap((section) => made.filter((row) => row.section === section));

export const checkedRows: readonly CheckedRow[] = rows.filter((row) => 'check' in row);
