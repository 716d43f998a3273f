import * as z from 'zod';
import { BoundedCache } from '../../cache.ts';
import type { Account } from '../../domain/accounts/account.ts';
import type { ProductInput } from '../../domain/accounts/account-fields.ts';
import { all, type Database, type Item } from '../table/database.ts';
import { derivedProductId, derivedServiceId } from '../table/ids.ts';
import { accountKey, productKey, teamKey, teamPartition } from '../table/keys.ts';
import { itemReader } from '../table/stored-item.ts';
import { accountOf, productSince } from './accounts.ts';

const productSchema = z.object({
  id: z.string(),
  code: z.string(),
  type: z.string(),
  standardized_type: z.string(),
  name: z.string().nullable(),
  description: z.string().nullable(),
  services: z.array(z.object({ id: z.string(), name: z.string() })),
});
export type Product = z.output<typeof productSchema>;
export const productOf = itemReader('product', productSchema);

/** Products that a function instance caches: a few megabytes. */
const maxProducts = 5000;
/** Product codes that a registry caches: a few megabytes, and far more than one import uses. */
const maxCodes = 20_000;

/** `since` is the time since which the account has had its product and its closing date. */
export type DescribedAccount = { account: Account; since: string; product: Product };

/**
 * Caches products by code; a team may have tens of thousands. The team item holds a revision, which changes whenever an
 * administrator sets a product, and which is read together with the accounts. A product that was cached under the same
 * revision is unchanged. So one round trip is enough, and a new setting is visible at once.
 */
export class ProductCache {
  readonly #database: Database;
  /** By team, revision and code. */
  readonly #cached = new BoundedCache<Product>(maxProducts);

  constructor(database: Database) {
    this.#database = database;
  }

  /**
   * The accounts in the order of the numbers, each with its product; `undefined` for an account that does not exist.
   */
  async accounts(teamId: string, numbers: readonly string[]): Promise<(DescribedAccount | undefined)[]> {
    if (numbers.length === 0) return [];
    const keys = numbers.map((number) => accountKey(teamId, number));
    const [team, ...items] = await this.#database.get([teamKey(teamId), ...keys]);
    const accounts = items.map((item) => item && accountOf(item));
    const codes = new Set(accounts.flatMap((account) => (account ? [account.product_code] : [])));
    const products = await this.#find(teamId, [...codes], team?.products_revision);
    return items.map((item, index) => {
      const account = accounts[index];
      const product = account && products.get(account.product_code);
      return item && product && { account, since: productSince(item), product };
    });
  }

  /** The team's products with these codes. */
  async products(teamId: string, codes: readonly string[]): Promise<Map<string, Product>> {
    const [team] = await this.#database.get([teamKey(teamId)]);
    return this.#find(teamId, codes, team?.products_revision);
  }

  async #find(teamId: string, codes: readonly string[], revision: unknown): Promise<Map<string, Product>> {
    const products = new Map<string, Product>();
    const nameOf = (code: string) => `${teamId}#${revision}#${code}`;
    for (const code of codes) {
      const cached = this.#cached.get(nameOf(code));
      if (cached) products.set(code, cached);
    }
    const missing = codes.filter((code) => !products.has(code));
    if (missing.length === 0) return products;
    const items = await this.#database.get(missing.map((code) => productKey(teamId, code)));
    for (const item of items) {
      if (!item) continue;
      const product = productOf(item);
      // The product was read after the revision, so it is not older.
      this.#cached.set(nameOf(product.code), product);
      products.set(product.code, product);
    }
    return products;
  }
}

/**
 * Creates the products whose codes the team does not have yet. Attributes for an existing code are ignored
 * (specification, "Account", rule 2). If two callers create the same product at once, one of them creates all of it.
 */
export class ProductRegistry {
  readonly #database: Database;
  /** Products are never deleted, so a code that was found once is not read again. */
  readonly #known = new BoundedCache<true>(maxCodes);

  constructor(database: Database) {
    this.#database = database;
  }

  knows(teamId: string, code: string): boolean {
    return this.#known.get(`${teamId}#${code}`) === true;
  }

  /** @param unknown products whose codes the registry does not know, each code once. */
  async ensure(teamId: string, unknown: readonly ProductInput[], now: string): Promise<void> {
    if (unknown.length === 0) return;
    const found = await this.#database.get(unknown.map(({ code }) => productKey(teamId, code)));
    const missing = unknown.filter((_, index) => found[index] === undefined);
    await this.#database.write(missing.map((input) => ({ kind: 'insert', item: itemOf(teamId, input, now) })));
    for (const { code } of unknown) this.#known.set(`${teamId}#${code}`, true);
  }
}

/** All products of a team, by code. */
export async function listProducts(database: Database, teamId: string): Promise<Product[]> {
  const items = await all(database, { pk: teamPartition(teamId), prefix: productKey(teamId, '').sk });
  return items.map(productOf);
}

export type ProductSettings = {
  standardized_type?: string;
  /** Names of services. They replace the list. */
  services?: readonly string[];
};

/**
 * Changes the settings of a product and returns the product; `undefined` if the team has no product with this code. The
 * team's revision changes too, so that every function instance reads the team's products again.
 */
export async function setProduct(
  database: Database,
  teamId: string,
  code: string,
  { services, ...settings }: ProductSettings,
  now: string,
): Promise<Product | undefined> {
  const key = productKey(teamId, code);
  const named = services?.map((name) => ({ id: derivedServiceId(teamId, code, name), name }));
  const set = { ...settings, ...(named ? { services: named } : {}), updated_at: now };
  const isSet = await database.transact([
    { kind: 'update', key, set, expect: { code } },
    { kind: 'update', key: teamKey(teamId), set: { products_revision: crypto.randomUUID() }, expect: {} },
  ]);
  const [item] = isSet ? await database.get([key]) : [];
  return item && productOf(item);
}

function itemOf(teamId: string, input: ProductInput, now: string): Item {
  const { code, type, standardized_type = 'unknown', name = null, description = null } = input;
  const product: Product = {
    id: derivedProductId(teamId, code),
    code,
    type,
    standardized_type,
    name,
    description,
    services: [],
  };
  return { ...productKey(teamId, code), ...product, inserted_at: now, updated_at: now };
}
