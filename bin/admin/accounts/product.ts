import { standardizedTypes } from '../../../lib/domain/accounts/account-fields.ts';
import { timestamp } from '../../../lib/domain/values/timestamp.ts';
import { isUuid } from '../../../lib/domain/values/uuid.ts';
import { listProducts, type Product, setProduct } from '../../../lib/store/accounts/products.ts';
import { derivedProductId } from '../../../lib/store/table/ids.ts';
import { failure } from '../failure.ts';
import { nameOption } from '../options.ts';
import { listing, tableOf } from '../text.ts';
import { noun, oneOf, optional, required, team, verb } from '../verb.ts';

export const verbs = noun('Products, which imports create from account records', {
  list: verb({
    does: 'List the products of a team, by code',
    parameters: { team },
    reads: true,
    run: async ({ database }, given) => {
      const products = await listProducts(database, given.team);
      const text = tableOf(
        products,
        {
          CODE: 'code',
          NAME: 'name',
          TYPE: 'type',
          'STANDARDIZED TYPE': 'standardized_type',
          SERVICES: servicesOf,
          ID: 'id',
        },
        'The team has no products.',
      );
      return { value: products, text };
    },
  }),

  set: verb({
    does: 'Set the fields of a product that imports do not change',
    parameters: {
      team,
      code: required('<code>', 'the code of the product'),
      standardizedType: optional(
        '<type>',
        `its standardized type, as in the API: ${standardizedTypes.join(', ')}`,
        oneOf('standardized types', standardizedTypes),
      ),
      service: optional('<name...>', 'all its services; they replace the present list', addService),
    },
    ids: (given) => (isUuid(given.team) ? { product_id: derivedProductId(given.team, given.code) } : {}),
    run: async ({ database, now }, { team: teamId, code, standardizedType, service }) => {
      if (standardizedType === undefined && service === undefined) {
        const message = 'is missing; give a standardized type, services or both';
        throw failure('invalid_arguments', message, '--standardized-type');
      }
      const settings = {
        ...(standardizedType === undefined ? {} : { standardized_type: standardizedType }),
        ...(service === undefined ? {} : { services: service }),
      };
      const set = await setProduct(database, teamId, code, settings, timestamp(now()));
      if (!set)
        throw failure('not_found', 'the team has no product with this code; products are created by imports', '--code');
      const { name, type, standardized_type } = set;
      return {
        value: set,
        text: listing({ code, name: name ?? '', type, standardized_type, services: servicesOf(set) }),
      };
    },
  }),
});

function addService(name: string, earlier: readonly string[] = []): string[] {
  nameOption(name);
  return [...new Set([...earlier, name])];
}

const servicesOf = ({ services }: Product): string => services.map(({ name }) => name).join(', ') || 'none';
