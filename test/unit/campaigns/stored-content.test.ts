import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { applyContent } from '../../../bin/content/apply.ts';
import { readDocument } from '../../../bin/content/read.ts';
import { storedDocument } from '../../../lib/domain/campaigns/document.ts';
import { noContent } from '../../../lib/domain/campaigns/link.ts';
import { storedContentOf } from '../../../lib/store/campaigns/stored-content.ts';
import { projectRoot } from '../../support/architecture/sources.ts';
import { id, now, teamId } from '../../support/samples/content-documents.ts';

const textAt = (path: string): string => readFileSync(`${projectRoot}/${path}`, 'utf8');

/** What the import of an example stores. */
function storedOf(example: string): string {
  const { document } = readDocument(JSON.parse(textAt(`examples/${example}`)));
  let count = 0;
  const context = { teamId, features: [], globalObjectives: [], idOf: () => id(++count), now };
  const applied = applyContent(noContent, document!, context);
  if ('errors' in applied) throw new Error(JSON.stringify(applied.errors));
  return JSON.stringify(applied.content);
}

describe('stored content is complete, as the schemas of the import would parse it', () => {
  test.each(['campaigns.json', 'mortgage.json', 'sandbox.json'])('what the import of %s stores', (example) => {
    const stored = storedOf(example);
    expect(storedContentOf(stored)).toEqual(storedDocument.parse(JSON.parse(stored)));
  });
});
