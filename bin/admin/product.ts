import { type Command, Option } from 'commander';
import { standardizedTypes } from '../../lib/domain/account-fields.ts';
import { timestamp } from '../../lib/domain/timestamp.ts';
import { listProducts, type Product, type ProductSettings, setProduct } from '../../lib/store/products.ts';
import { productIds } from './audit-ids.ts';
import { failure } from './failure.ts';
import { nameOption } from './options.ts';
import { listing, tableOf } from './text.ts';
import { verb } from './verb.ts';

type Options = { team: string; code: string; standardizedType?: string; service?: string[] };

export function registerProduct(program: Command): void {
  const product = program.command('product').description('Products, which imports create from account records');

  verb<{ team: string }>(
    product
      .command('list')
      .description('List the products of a team, by code')
      .requiredOption('--team <team_id>', 'the team'),
    'reads',
    async ({ database }, { team }) => {
      const products = await listProducts(database, team);
      return { value: products, text: tableOf(headings, products.map(rowOf), 'The team has no products.') };
    },
  );

  verb<Options>(
    product
      .command('set')
      .description('Set the fields of a product that imports do not change')
      .requiredOption('--team <team_id>', 'the team that it belongs to')
      .requiredOption('--code <code>', 'the code of the product')
      .addOption(
        new Option('--standardized-type <type>', 'its standardized type, as in the API').choices(standardizedTypes),
      )
      .addOption(
        new Option('--service <name...>', 'all its services; they replace the present list').argParser(addService),
      ),
    ({ team, code }) => productIds(team, code),
    async ({ database }, { team, code, ...settings }) => {
      const set = await setProduct(database, team, code, settingsOf(settings), timestamp(Date.now()));
      if (!set)
        throw failure('not_found', 'the team has no product with this code; products are created by imports', '--code');
      return { value: set, text: listing(described(set)) };
    },
  );
}

function addService(name: string, earlier: readonly string[] = []): string[] {
  nameOption(name);
  return earlier.includes(name) ? [...earlier] : [...earlier, name];
}

function settingsOf({ standardizedType, service }: Pick<Options, 'standardizedType' | 'service'>): ProductSettings {
  if (standardizedType === undefined && service === undefined) {
    throw failure('invalid_arguments', 'is missing; give a standardized type, services or both', '--standardized-type');
  }
  return {
    ...(standardizedType === undefined ? {} : { standardized_type: standardizedType }),
    ...(service === undefined ? {} : { services: service }),
  };
}

const headings = ['CODE', 'NAME', 'TYPE', 'STANDARDIZED TYPE', 'SERVICES', 'ID'];

const rowOf = (product: Product): string[] => {
  const { code, name, type, standardized_type, services } = described(product);
  return [code, name, type, standardized_type, services, product.id];
};

const described = ({ code, name, type, standardized_type, services }: Product) => ({
  code,
  name: name ?? '',
  type,
  standardized_type,
  services: services.map((each) => each.name).join(', ') || 'none',
});
