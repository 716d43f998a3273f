import type { DescribedContract } from '../lib/http/contract.ts';
import { routes } from '../lib/routes.ts';

type Endpoint = { contracts(): DescribedContract[] };

/**
 * The contracts of all endpoints. A bundle has static imports instead of `import()`, so that it holds the contracts without
 * the handlers beside them, see `infra/bundle.ts`.
 */
export async function allContracts(): Promise<DescribedContract[]> {
  const files = [...new Set(routes.map(({ file }) => file))];
  const endpoints = await Promise.all(
    files.map((file) => import(/* @vite-ignore */ `../${file}`) as Promise<Endpoint>),
  );
  return endpoints.flatMap((endpoint) => endpoint.contracts());
}
