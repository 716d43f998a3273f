import * as z from 'zod';
import type { ProductInput } from '../domain/account.ts';
import { all, type Database, type Item } from './database.ts';
import { derivedProductId, derivedServiceId, productKey, productPrefix, teamPartition } from './keys.ts';

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

/** Products are shown as they were at most this long ago, in milliseconds. */
const cachedFor = 5_000;

/** A team's products by code, as every instance of a function keeps them for a few seconds. */
export class ProductCatalogue {
  readonly #database: Database;
  readonly #now: () => number;
  readonly #teams = new Map<string, { products: Promise<Map<string, Product>>; until: number }>();

  constructor(database: Database, now: () => number) {
    this.#database = database;
    this.#now = now;
  }

  load(teamId: string): Promise<Map<string, Product>> {
    const cached = this.#teams.get(teamId);
    if (cached && this.#now() < cached.until) return cached.products;
    const products = loadAll(this.#database, teamId);
    this.#teams.set(teamId, { products, until: this.#now() + cachedFor });
    products.catch(() => this.#teams.delete(teamId));
    return products;
  }

  /** The products of these codes; one that the cache does not know yet is read by its key. */
  async find(teamId: string, codes: readonly string[]): Promise<Map<string, Product>> {
    const known = await this.load(teamId);
    const missing = [...new Set(codes)].filter((code) => !known.has(code));
    if (missing.length === 0) return known;
    const items = await this.#database.get(missing.map((code) => productKey(teamId, code)));
    for (const item of items) if (item) known.set(...entryOf(item));
    return known;
  }
}

async function loadAll(database: Database, teamId: string): Promise<Map<string, Product>> {
  return new Map((await all(database, { pk: teamPartition(teamId), prefix: productPrefix })).map(entryOf));
}

function entryOf(item: Item): [string, Product] {
  const product = productSchema.parse(item);
  return [product.code, product];
}

/**
 * Creates the products whose codes the team does not have yet; attributes for a code that exists are ignored
 * (specification, "Account", rule 2). Whoever else creates one at the same time wins or loses whole.
 */
export class ProductRegister {
  readonly #database: Database;
  /** Products are never removed, so what was there once need not be looked for again. */
  readonly #known = new Set<string>();

  constructor(database: Database) {
    this.#database = database;
  }

  knows(teamId: string, code: string): boolean {
    return this.#known.has(`${teamId}#${code}`);
  }

  /** @param unknown products of codes that the register does not know, each code once. */
  async ensure(teamId: string, unknown: readonly ProductInput[], now: string): Promise<void> {
    if (unknown.length === 0) return;
    const found = await this.#database.get(unknown.map(({ code }) => productKey(teamId, code)));
    const missing = unknown.filter((_, index) => found[index] === undefined);
    await this.#database.write(missing.map((input) => ({ kind: 'insert', item: itemOf(teamId, input, now) })));
    for (const { code } of unknown) this.#known.add(`${teamId}#${code}`);
  }
}

export type ProductSettings = {
  standardized_type?: string /** By name; they replace the list. */;
  services?: readonly string[];
};

/** Sets what an administrator decides about a product, and gives it as it then is; `undefined` when there is none. */
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
  const [isSet] = await database.write([{ kind: 'update', key, set, expect: { code } }]);
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
