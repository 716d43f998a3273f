import type { StoredDocument, StoredPage } from '../domain/campaigns/document.ts';
import { mostMessages } from '../domain/campaigns/message.ts';
import { fitSlots, lookupSlots } from '../domain/contacts/lookup.ts';
import { isSenderOf, missingForCompletionSets, type TeamFeature } from '../domain/teams/team.ts';
import type { ErrorDetail } from '../domain/values/problem.ts';
import type { IdentifiedDocument, ImportContext } from './identify.ts';
import type { GivenParts } from './parts.ts';
import { pagesOf } from './stored-parts.ts';
import { wordErrors } from './words.ts';

/** Ids that references may name: those of the team after the import, and of global objectives. */
type Known = { objectives: ReadonlySet<string>; channels: ReadonlySet<string> };

/** Errors between objects, within the document or with the stored content. */
export function contentErrors(
  document: IdentifiedDocument,
  parts: GivenParts,
  stored: StoredDocument,
  context: ImportContext,
): ErrorDetail[] {
  const known: Known = {
    objectives: idsOf(document.objectives, stored.objectives, context.globalObjectives),
    channels: idsOf(document.engagement_channels, stored.engagement_channels),
  };
  const storedPages = pagesOf(stored);
  return [
    ...objectiveErrors(document, stored, context),
    ...(context.teamId === null ? teamOnlyErrors(document) : []),
    ...lookupErrors(document, stored),
    ...document.templates.flatMap((template, index) => templateErrors(template, `/templates/${index}`)),
    ...document.templates.flatMap((template, index) => senderErrors(template, context, `/templates/${index}`)),
    ...[...parts.pages.values()].flatMap(({ part, path }) => [
      ...pageErrors(part, known, path),
      ...completionSetErrors(part, storedPages.get(part.id), context.features, path),
    ]),
    ...[...parts.messages.values()].flatMap(({ part, path }) =>
      referenceErrors(part.objective_id, known.objectives, `${path}/objective_id`, 'objective'),
    ),
  ];
}

const idsOf = (...lists: (readonly { id: string }[])[]): Set<string> => new Set(lists.flat().map(({ id }) => id));

function objectiveErrors(
  { objectives }: IdentifiedDocument,
  stored: StoredDocument,
  { teamId, globalObjectives }: ImportContext,
): ErrorDetail[] {
  const global = idsOf(globalObjectives);
  const replaced = idsOf(objectives);
  const keys = new Set(stored.objectives.filter(({ id }) => !replaced.has(id)).map(({ key }) => key));
  const errors: ErrorDetail[] = [];
  for (const [index, { id, key, team_id }] of objectives.entries()) {
    const path = `/objectives/${index}`;
    if (global.has(id)) errors.push({ path: `${path}/id`, message: 'is the id of a global objective' });
    if (keys.has(key)) errors.push({ path: `${path}/key`, message: 'is the key of another objective' });
    if (team_id !== null && team_id !== teamId) {
      const message = teamId === null ? 'must be null: the objective is global' : 'must be the team of the import';
      errors.push({ path: `${path}/team_id`, message });
    }
    keys.add(key);
  }
  return errors;
}

function teamOnlyErrors(document: IdentifiedDocument): ErrorDetail[] {
  const invalid = (['engagement_channels', 'templates'] as const).filter((name) => document[name].length > 0);
  return invalid.map((name) => ({
    path: `/${name}`,
    message: 'must belong to a team (--team): only objectives can be global',
  }));
}

/** All channels of a team share its lookup indexes. The channel that exceeds them gets the error. */
function lookupErrors({ engagement_channels: channels }: IdentifiedDocument, stored: StoredDocument): ErrorDetail[] {
  const replaced = idsOf(channels);
  let names = stored.engagement_channels.filter(({ id }) => !replaced.has(id)).flatMap((each) => each.lookup_fields);
  return channels.flatMap(({ lookup_fields }, index) => {
    const together = [...names, ...lookup_fields];
    const message = `must not bring the channels of the team to more than ${lookupSlots.length} different fields in total`;
    if (!fitSlots(together)) return [{ path: `/engagement_channels/${index}/lookup_fields`, message }];
    names = together;
    return [];
  });
}

function templateErrors(template: IdentifiedDocument['templates'][number], path: string): ErrorDetail[] {
  const { template_pages, template_messages, words } = template;
  const ids = idsOf(template_pages);
  return [
    ...wordErrors(words, `${path}/words`),
    ...repeated(template_pages, 'order').map((place) => ({
      path: `${path}/template_pages/${place}/order`,
      message: 'is the order of another page of this template',
    })),
    ...repeated(template_pages, 'page_id').map((place) => ({
      path: `${path}/template_pages/${place}/page_id`,
      message: 'is already a page of this template',
    })),
    ...template_messages.flatMap(({ template_page_id, ...message }, place) => {
      const at = `${path}/template_messages/${place}`;
      return [
        ...referenceErrors(template_page_id, ids, `${at}/template_page_id`, 'page of the template'),
        ...(message.send_offset_hours !== null && message.scheduled_at !== null
          ? [{ path: `${at}/send_offset_hours`, message: 'must not be set together with `scheduled_at`' }]
          : []),
      ];
    }),
    ...(template_messages.length > mostMessages
      ? [{ path: `${path}/template_messages`, message: `must not be more than ${mostMessages} messages` }]
      : []),
  ];
}

/** A team without senders sends no messages, so nobody gets one from this address. */
function senderErrors(
  { email_sender_address: address }: IdentifiedDocument['templates'][number],
  { team }: ImportContext,
  path: string,
): ErrorDetail[] {
  if (address === null || !team || team.senders.length === 0 || isSenderOf(team, address)) return [];
  const message = `must be one of the senders of the team: ${team.senders.join(', ')}. \`team update --sender\` adds one`;
  return [{ path: `${path}/email_sender_address`, message }];
}

/** Indexes of the values that repeat an earlier one. `null` is never repeated. */
const repeated = <Name extends string>(values: readonly { [name in Name]: unknown }[], name: Name): number[] =>
  [...values.keys()].filter((place) => {
    const value = values[place]![name];
    return value !== null && values.findIndex((each) => each[name] === value) < place;
  });

const pageErrors = (page: StoredPage, { objectives, channels }: Known, path: string): ErrorDetail[] => [
  ...referenceErrors(page.objective_id, objectives, `${path}/objective_id`, 'objective'),
  ...page.content_containers.flatMap(({ engagement_channel_id }, place) => {
    const at = `${path}/content_containers/${place}/engagement_channel_id`;
    return referenceErrors(engagement_channel_id, channels, at, 'engagement channel');
  }),
];

const referenceErrors = (id: string | null, known: ReadonlySet<string>, path: string, what: string): ErrorDetail[] =>
  id === null || known.has(id) ? [] : [{ path, message: `must be the id of an existing ${what}` }];

/** One object with an id. `path` is set if the object is in the document. */
type Identity = { kind: string; id: string; path: string | undefined };

/**
 * Errors of ids that are used by two objects, also of different kinds. A page or message that templates share is one
 * object.
 * @param content the content after the import
 * @param paths the path of each top-level object, page and message of the document
 */
export function identityErrors(content: StoredDocument, paths: ReadonlyMap<object, string>): ErrorDetail[] {
  const first = new Map<string, Identity>();
  const errors: ErrorDetail[] = [];
  for (const identity of identitiesOf(content, paths)) {
    const other = first.get(identity.id);
    if (!other) first.set(identity.id, identity);
    else {
      const [invalid, taken] = identity.path === undefined ? [other, identity] : [identity, other];
      const where = taken.path === undefined ? `a stored ${taken.kind}` : `the ${taken.kind} at ${taken.path}`;
      errors.push({ path: `${invalid.path}/id`, message: `is the id of ${where}` });
    }
  }
  return errors;
}

/** What holds objects with ids, and what these are. */
const kinds: Readonly<Record<string, string | undefined>> = {
  objectives: 'objective',
  engagement_channels: 'engagement channel',
  templates: 'template',
  template_pages: 'template page',
  page: 'page',
  template_messages: 'template message',
  message: 'message',
  content_containers: 'content container',
  content_blocks: 'content block',
};

/** @param path of the owner @param seen pages and messages that templates share */
function* identitiesOf(
  owner: object,
  paths: ReadonlyMap<object, string>,
  path?: string,
  seen = new Set<object>(),
): Generator<Identity> {
  for (const [name, member] of Object.entries(owner)) {
    const kind = kinds[name];
    if ((kind === undefined && name !== 'default_content') || member === null) continue;
    for (const [index, each] of [member].flat().entries()) {
      if (seen.has(each)) continue;
      seen.add(each);
      const isPart = name === 'page' || name === 'message';
      const within = path && !isPart ? `${path}/${name}${Array.isArray(member) ? `/${index}` : ''}` : undefined;
      const at = paths.get(each) ?? within;
      if (kind !== undefined) yield { kind, id: each.id, path: at };
      yield* identitiesOf(each, paths, at, seen);
    }
  }
}

type Sets = Pick<StoredPage, 'completion_product_ids' | 'completion_standardized_types'>;

/**
 * The rule of the specification on completion product sets: a page names products or standardized types, never both.
 * For a team without both reporting features, a non-empty value must be equal to the stored set.
 * @param path path of the page
 */
export function completionSetErrors(
  given: Sets,
  stored: Sets | undefined,
  features: readonly TeamFeature[],
  path: string,
): ErrorDetail[] {
  const both = given.completion_product_ids.length > 0 && given.completion_standardized_types.length > 0;
  const errors = both
    ? [
        {
          path: `${path}/completion_standardized_types`,
          message: 'must be empty when completion_product_ids is not empty',
        },
      ]
    : [];
  const missing = missingForCompletionSets(features);
  if (missing.length === 0) return errors;
  for (const name of ['completion_product_ids', 'completion_standardized_types'] as const) {
    if (given[name].length === 0 || isSameSet(given[name], stored?.[name] ?? [])) continue;
    const message = `must not change: the team does not have the features ${missing.join(', ')}`;
    errors.push({ path: `${path}/${name}`, message });
  }
  return errors;
}

const isSameSet = (a: readonly string[], b: readonly string[]): boolean =>
  new Set(a).size === new Set(b).size && a.every((each) => b.includes(each));
