import { expect } from 'vitest';
import { applyContent } from '../../../lib/content/apply.ts';
import { readDocument } from '../../../lib/content/read.ts';
import { linked, noContent } from '../../../lib/domain/campaigns/link.ts';
import type { JsonValue } from '../../../lib/domain/values/json.ts';

export const teamId = '6f1c4f0e-8f4f-4c42-9b5e-2b4f0c1d7a10';
export const id = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
export const now = '2026-01-02T03:04:05.000000Z';

export const errorDetailsOf = (document: object) => readDocument(document as JsonValue).errors.map(({ path }) => path);

export function shown(document: object) {
  const { errors, document: given } = readDocument(document as JsonValue);
  expect(errors).toEqual([]);
  const applied = applyContent(noContent, given!, { teamId, features: [], globalObjectives: [], idOf: String, now });
  if ('errors' in applied) throw new Error(JSON.stringify(applied.errors));
  return linked(applied.content, noContent, { teamId, team: null });
}

export const templateWith = (page: object, rest: object = {}) => ({
  templates: [{ template_pages: [{ page }], ...rest }],
});
export const inPage = '/templates/0/template_pages/0/page';
export const inMessage = '/templates/0/template_messages/0/message';
