import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type Guide, llmsText } from './reference/llms.ts';
import { postmanCollection } from './reference/postman.ts';

/** `npm run reference`: the Postman collection and `llms.txt`, from the OpenAPI document. */
const docs = fileURLToPath(new URL('../docs/', import.meta.url));

/** The contents of the files under `docs/`, by name. */
export const referenceFiles = (): Record<string, string> => ({
  'postman-collection.json': `${JSON.stringify(postmanCollection(), undefined, 2)}\n`,
  'llms.txt': llmsText(guides()),
});

/** Every page, with its heading. */
const guides = (): Guide[] =>
  globSync('*.md', { cwd: docs })
    .sort()
    .map((link) => ({ link, title: /^# (.+)$/m.exec(readFileSync(docs + link, 'utf8'))?.[1] ?? link }));

if (import.meta.main) {
  for (const [name, text] of Object.entries(referenceFiles())) writeFileSync(docs + name, text);
}
