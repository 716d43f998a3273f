import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { allContracts } from '../functions/contracts.ts';
import { openApiDocument } from '../lib/http/openapi.ts';

type Generator = {
  default(document: object, options: { silent: boolean }): Promise<object>;
  astToString(ast: object): string;
};

const clientTypes = fileURLToPath(new URL('../client/schema.ts', import.meta.url));

/** The generator is installed in `client/`, with the version of TypeScript that it needs. */
const generator = createRequire(new URL('../client/package.json', import.meta.url))('openapi-typescript') as Generator;

/** The types of the client, from the OpenAPI document that the service returns. They are not committed. */
export async function writeClientTypes(): Promise<void> {
  const types = await typesOfDocument();
  if (!existsSync(clientTypes) || types !== readFileSync(clientTypes, 'utf8')) writeFileSync(clientTypes, types);
}

async function typesOfDocument(): Promise<string> {
  const document = openApiDocument(await allContracts(), 'https://api.example.com') as Document;
  const ast = await generator.default(withoutExamples(document), { silent: true });
  return `// Made by \`npm run types\` from lib/http/openapi.ts.\n\n${generator.astToString(ast)}`;
}

type Operation = { parameters?: { example?: unknown }[] };
type Document = { paths: Record<string, Record<string, Operation>> };

/** Examples are left out: each recording changes them, and types do not depend on them. */
function withoutExamples(document: Document): Document {
  const copy = structuredClone(document);
  for (const { parameters = [] } of Object.values(copy.paths).flatMap((path) => Object.values(path))) {
    for (const parameter of parameters) delete parameter.example;
  }
  return copy;
}

if (import.meta.main) await writeClientTypes();
