import * as z from 'zod';
import { shownMetadata } from './metadata.ts';
import { uuid } from './uuid.ts';

const nullableText = () => z.string().nullable();

const service = z
  .object({
    id: uuid().meta({ description: 'Service id' }),
    name: z.string().meta({ description: 'Service name' }),
  })
  .meta({ id: 'ProductService', description: 'A service that is included in a product' });

const product = z
  .object({
    id: uuid().meta({ description: 'Product id' }),
    type: z.string().meta({ description: 'Product type' }),
    code: z.string().meta({ description: 'Product code' }),
    name: nullableText().meta({ description: 'Product name' }),
    description: nullableText().meta({ description: 'Product description' }),
    services: z.array(service).meta({ description: 'Services that are included in the product' }),
  })
  .meta({ id: 'Product', description: 'The product of an account' });

const account = z
  .object({
    id: uuid().meta({ description: 'Account id' }),
    nickname: nullableText().meta({ description: 'Account nickname' }),
    meta_public: shownMetadata().meta({ description: 'Public metadata. Nested keys are joined by dots' }),
    product: product.meta({ description: 'The product of the account' }),
  })
  .meta({ id: 'Account', description: 'The fields of an account that the API returns' });

/** An entry of `GET /v1/contacts/:contact_id/accounts` (specification, "Contact account"). */
export const contactAccount = z
  .object({
    role: nullableText().meta({ description: "The contact's role on the account" }),
    account: account.meta({ description: 'The account' }),
  })
  .meta({ id: 'ContactAccount', description: 'An account of a contact, with the role of the contact' });
export type ContactAccount = z.output<typeof contactAccount>;
