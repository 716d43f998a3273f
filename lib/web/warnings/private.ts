import type { Template } from '../../domain/content/template.ts';
import { identityNeed } from '../../domain/identity-need.ts';
import type { JsonObject } from '../../domain/json.ts';
import { isPrivateName, namesIn, textsIn } from '../../domain/placeholders.ts';
import type { ErrorDetail } from '../../domain/problem.ts';
import type { GivenPage, GivenTemplate } from './given.ts';
import type { SharedVariables } from './placeholders.ts';

/** A private value in a text that every page shows, so that every page asks for a proof of identity. */
export function privateTextWarnings(
  { is_auth_required, footer_content, journey_title_options }: GivenTemplate,
  path: string,
  { variables }: SharedVariables,
): ErrorDetail[] {
  if (is_auth_required) return [];
  const texts = {
    footer_content,
    'journey_title_options/custom': journey_title_options?.custom,
  };
  return Object.entries(texts).flatMap(([place, value]) =>
    messageOf(value, variables, 'every page shows this text, so every page').map((message) => ({
      path: `${path}/${place}`,
      message,
    })),
  );
}

/** A private value only in the message of a page, which hides values of the page before it is completed. */
export function privateMessageWarnings(
  template: GivenTemplate,
  page: GivenPage,
  variables: JsonObject,
  path: string,
): ErrorDetail[] {
  const { completion_message } = page;
  const others = { content_variables: variables, page: { ...page, completion_message: null } };
  if (identityNeed(template as unknown as Template, others as never, false) !== undefined) return [];
  return messageOf(completion_message, variables, 'no other text of the page has one, so the page').map((message) => ({
    path: `${path}/completion_message`,
    message,
  }));
}

function messageOf(value: unknown, variables: JsonObject, why: string): string[] {
  const all = textsIn(value).flatMap((text) => namesIn(text, variables));
  const found = all.find(({ name }) => name !== undefined && isPrivateName(name));
  return found === undefined
    ? []
    : [
        `has the private value \`{{${found.written}}}\`, and ${why} asks for a proof of identity: write it into a block of the page that needs it`,
      ];
}
