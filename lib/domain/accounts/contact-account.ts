import * as z from 'zod';
import { shownMetadata } from '../values/metadata.ts';
import { uuid } from '../values/uuid.ts';

const nullableText = () => z.string().nullable();

const service = z
  .object({
    id: uuid().describe('Service id'),
    name: z.string().describe('Service name'),
  })
  .meta({ id: 'ProductService', description: 'A service that is included in a product' });

const product = z
  .object({
    id: uuid().describe('Product id'),
    type: z.string().describe('Product type'),
    code: z.string().describe('Product code'),
    name: nullableText().describe('Product name'),
    description: nullableText().describe('Product description'),
    services: z.array(service).describe('Services that are included in the product'),
  })
  .meta({ id: 'Product', description: 'The product of an account' });

const account = z
  .object({
    id: uuid().describe('Account id'),
    nickname: nullableText().describe('Account nickname'),
    meta_public: shownMetadata().describe('Public metadata. Nested keys are joined by dots'),
    product: product.describe('The product of the account'),
  })
  .meta({ id: 'Account', description: 'The fields of an account that the API returns' });

/** An entry of `GET /v1/contacts/:contact_id/accounts` (specification, "Contact account"). */
export const contactAccount = z
  .object({
    role: nullableText().describe("The contact's role on the account"),
    account: account.describe('The account'),
  })
  .meta({ id: 'ContactAccount', description: 'An account of a contact, with the role of the contact' });
export type ContactAccount = z.output<typeof contactAccount>;
