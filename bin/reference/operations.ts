import { openApiDocument } from '../../lib/http/openapi.ts';

type Parameter = { name: string; in: string; required?: boolean; description?: string; example?: string };
type Examples = Record<string, { summary?: string; value: unknown }>;
type Media = Record<string, { examples?: Examples }>;

/** An operation of the OpenAPI document, as far as the reference files need it. */
export type DocumentedOperation = {
  method: string;
  path: string;
  operationId: string;
  tags: [string];
  summary: string;
  description?: string;
  security: Record<string, string[]>[];
  parameters?: Parameter[];
  requestBody?: { content: Media };
  responses: Record<string, { content?: Media }>;
};

type Operations = Record<string, Omit<DocumentedOperation, 'method' | 'path'>>;

/** The operations in the order of the document, grouped by tag in the order of the tags. */
export function documentedOperations() {
  const { info, tags, paths } = openApiDocument('{{base_url}}') as unknown as {
    info: { title: string; version: string; description: string };
    tags: { name: string; description: string }[];
    paths: Record<string, Operations>;
  };
  const all = Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]): DocumentedOperation => ({ ...operation, method, path })),
  );
  const groups = tags
    .map((tag) => ({ ...tag, operations: all.filter(({ tags: [own] }) => own === tag.name) }))
    .filter(({ operations }) => operations.length > 0);
  return { info, groups };
}

/** The scope that the access token must have, if the operation needs a token. */
export const scopeOf = ({ security }: DocumentedOperation): string | undefined =>
  security.flatMap(({ oauth2 = [] }) => oauth2)[0];
