import { type DocumentedOperation, documentedOperations, scopeOf } from './operations.ts';

/** The interface for language models, in the form of llmstxt.org. */
export function llmsText(): string {
  const { info, groups } = documentedOperations();
  const [summary, rules] = info.description.split('\n\n');
  const sections = groups.map(({ name, description, operations }) =>
    [`## ${name}`, description, operations.map(lineOf).join('\n')].join('\n\n'),
  );
  return `${[
    `# ${info.title} ${info.version}`,
    `> ${summary}`,
    'Every installation serves its OpenAPI document at `/openapi.json`, with schemas and examples of all operations. Base URL and credentials come from the operator.',
    rules,
    ...sections,
  ].join('\n\n')}\n`;
}

function lineOf(operation: DocumentedOperation): string {
  const { method, path, operationId, summary, parameters = [] } = operation;
  const query = parameters.filter((parameter) => parameter.in === 'query').map(({ name }) => `\`${name}\``);
  const scope = scopeOf(operation);
  const details = [
    scope && `Scope \`${scope}\`.`,
    query.length > 0 && `Query parameters: ${query.join(', ')}.`,
    operation.description,
  ].filter(Boolean);
  return `- \`${method.toUpperCase()} ${path}\` (${operationId}): ${summary}. ${details.join(' ')}`.trim();
}
