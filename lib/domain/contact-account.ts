import * as z from 'zod';
import { shownMetadata } from './metadata.ts';
import { uuid } from './uuid.ts';

const nullableText = () => z.string().nullable();

const service = z
  .object({
    id: uuid().meta({ description: 'Service id' }),
    name: z.string().meta({ description: 'Service name' }),
  })
  .meta({ id: 'ProductService', description: 'A service that comes with a product' });

const product = z
  .object({
    id: uuid().meta({ description: 'Product id' }),
    type: z.string().meta({ description: 'Product type' }),
    code: z.string().meta({ description: 'Product code' }),
    name: nullableText().meta({ description: 'Product name' }),
    description: nullableText().meta({ description: 'Product description' }),
    services: z.array(service).meta({ description: 'What comes with the product' }),
  })
  .meta({ id: 'Product', description: 'What an account is of' });

const account = z
  .object({
    id: uuid().meta({ description: 'Account id' }),
    nickname: nullableText().meta({ description: 'Account nickname' }),
    meta_public: shownMetadata().meta({ description: 'Public metadata, its nested keys joined by dots' }),
    product: product.meta({ description: 'The product that the account is of' }),
  })
  .meta({ id: 'Account', description: 'The part of an account that the interface shows' });

/** An entry of `GET /v1/contacts/:contact_id/accounts` (specification, "Contact account"). */
export const contactAccount = z
  .object({
    role: nullableText().meta({ description: "The contact's role on the account" }),
    account: account.meta({ description: 'The account, as far as the interface shows it' }),
  })
  .meta({ id: 'ContactAccount', description: 'That a contact has an account, and in which role' });
export type ContactAccount = z.output<typeof contactAccount>;
