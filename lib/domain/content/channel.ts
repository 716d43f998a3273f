import * as z from 'zod';
import { flag } from '../fields.ts';
import { isEmbedder, maxEmbedders } from '../frame-ancestors.ts';
import { declaredField } from '../lookup.ts';
import { type Uuid, uuid } from '../uuid.ts';
import { blockOf } from './block.ts';
import { anyJson, idOf, jsonObject, list, oneOf, optional, prose, shapeOf } from './values.ts';

/** Objects of styles that templates and channels have alike. */
export const styleSheet = () =>
  shapeOf({
    custom: optional(jsonObject(), 'Custom styles'),
    overrides: optional(jsonObject(), 'Overrides'),
    palette: optional(jsonObject(), 'Colours'),
    typography: optional(jsonObject(), 'Type'),
  });

const fields = {
  name: optional(prose(), 'Name of the channel'),
  properties: optional(
    shapeOf({ height: optional(anyJson(), 'Height'), width: optional(anyJson(), 'Width') }),
    'Size of the place where the content is embedded',
  ),
  show_navigation: optional(flag(), 'Navigation is shown with the content'),
  theme_styles: optional(styleSheet(), 'Styles of the theme'),
};

const embedder = () =>
  z
    .string('must be a string')
    .refine(isEmbedder, 'must be an origin such as https://bank.example or https://*.bank.example, in lower case');

const embedders = () =>
  list(embedder(), 'Origins of the sites that may show the content in a frame').refine(
    ({ length }) => length <= maxEmbedders,
    `must be at most ${maxEmbedders} origins`,
  );

/** What the channel shows where there is nothing for the contact: as a container, but of no page. */
const defaultContentOf = <Id extends z.ZodType>(id: Id) =>
  shapeOf({
    css: optional(prose(), 'CSS'),
    layout_basis: optional(oneOf(layouts), 'Basis of the layout'),
    styles: optional(jsonObject(), 'Styles'),
    content_blocks: list(blockOf(id), 'Content blocks'),
  });

/** The layouts that content for a channel can have. */
export const layouts = ['grid', 'table', 'none'] as const;

/**
 * An engagement channel as it is imported and stored. What it has beside the fields of the interface is for the
 * administrator, and never shown by it.
 */
export const channelOf = <Id extends z.ZodType>(id: Id) =>
  shapeOf({
    id: idOf(id, 'Channel id'),
    ...fields,
    lookup_fields: list(declaredField(), 'Contact fields that the channel finds contacts by'),
    frame_ancestors: embedders(),
    default_content: optional(defaultContentOf(id), 'Content where there is none for the contact'),
  });
/** The channel that lookups name, with the fields that are declared for it. */
export type EngagementChannel = z.output<ReturnType<typeof channelOf<Uuid>>>;

/** An engagement channel as containers show it (specification, "Template page"). */
export const shownChannel = z
  .object({ id: uuid().meta({ description: 'Channel id' }), ...fields })
  .meta({ id: 'EngagementChannel', description: 'A place outside the service where content is embedded' });
export type ShownChannel = z.output<typeof shownChannel>;
