import { LRUCache } from 'lru-cache';
import * as z from 'zod';
import type { Account } from '../domain/account.ts';
import type { ProductInput } from '../domain/account-fields.ts';
import { accountOf } from './accounts.ts';
import type { Database, Item } from './database.ts';
import { accountKey, derivedProductId, derivedServiceId, productKey, teamKey } from './keys.ts';

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
export const productOf = (item: Item): Product => productSchema.parse(item);

/** Products that an instance keeps: some megabytes. */
const keptProducts = 5000;
/** Names of products that a register remembers: some megabytes, and far more than an import has in work. */
const keptNames = 20_000;

export type DescribedAccount = { account: Account; product: Product };

/**
 * Products as the accounts of a contact need them: by code, for a team may have tens of thousands. The team item holds
 * a revision, which changes with every setting of a product, and is read with the accounts. A product that was read under
 * the same revision is as it was, so that one round trip does and a setting still shows at once.
 */
export class ProductCache {
  readonly #database: Database;
  /** By team, revision and code. */
  readonly #read = new LRUCache<string, Product>({ max: keptProducts });

  constructor(database: Database) {
    this.#database = database;
  }

  /** The accounts in the order of the numbers, each with its product; `undefined` where no record has described one. */
  async accounts(teamId: string, numbers: readonly string[]): Promise<(DescribedAccount | undefined)[]> {
    if (numbers.length === 0) return [];
    const keys = numbers.map((number) => accountKey(teamId, number));
    const [team, ...items] = await this.#database.get([teamKey(teamId), ...keys]);
    const accounts = items.map((item) => item && accountOf(item));
    const codes = new Set(accounts.flatMap((account) => (account ? [account.product_code] : [])));
    const products = await this.#find(teamId, [...codes], team?.products_revision);
    return accounts.map((account) => {
      const product = account && products.get(account.product_code);
      return product && { account, product };
    });
  }

  async #find(teamId: string, codes: readonly string[], revision: unknown): Promise<Map<string, Product>> {
    const products = new Map<string, Product>();
    const nameOf = (code: string) => `${teamId}#${revision}#${code}`;
    for (const code of codes) {
      const kept = this.#read.get(nameOf(code));
      if (kept) products.set(code, kept);
    }
    const missing = codes.filter((code) => !products.has(code));
    if (missing.length === 0) return products;
    const items = await this.#database.get(missing.map((code) => productKey(teamId, code)));
    for (const item of items) {
      if (!item) continue;
      const product = productSchema.parse(item);
      // Read after the revision: as new as it, or newer.
      this.#read.set(nameOf(product.code), product);
      products.set(product.code, product);
    }
    return products;
  }
}

/**
 * Creates the products whose codes the team does not have yet; attributes for a code that exists are ignored
 * (specification, "Account", rule 2). Whoever else creates one at the same time wins or loses whole.
 */
export class ProductRegistry {
  readonly #database: Database;
  /** Products are never removed, so what was there once need not be looked for again. */
  readonly #known = new LRUCache<string, true>({ max: keptNames });

  constructor(database: Database) {
    this.#database = database;
  }

  knows(teamId: string, code: string): boolean {
    return this.#known.get(`${teamId}#${code}`) === true;
  }

  /** @param unknown products of codes that the register does not know, each code once. */
  async ensure(teamId: string, unknown: readonly ProductInput[], now: string): Promise<void> {
    if (unknown.length === 0) return;
    const found = await this.#database.get(unknown.map(({ code }) => productKey(teamId, code)));
    const missing = unknown.filter((_, index) => found[index] === undefined);
    await this.#database.write(missing.map((input) => ({ kind: 'insert', item: itemOf(teamId, input, now) })));
    for (const { code } of unknown) this.#known.set(`${teamId}#${code}`, true);
  }
}

export type ProductSettings = {
  standardized_type?: string /** By name; they replace the list. */;
  services?: readonly string[];
};

/**
 * Sets what an administrator decides about a product, and gives it as it then is; `undefined` when the team has none of
 * this code. The team's revision changes with it, which tells every instance to read the team's products again.
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
  return item && productSchema.parse(item);
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
