import * as z from 'zod';
import { declaredField } from '../contacts/lookup.ts';
import { isEmbedder, maxEmbedders } from '../teams/frame-ancestors.ts';
import { flag } from '../values/fields.ts';
import { type Uuid, uuid } from '../values/uuid.ts';
import { blockOf } from './block.ts';
import { anyJson, jsonObject, list, oneOf, optional, prose, shapeOf } from './values.ts';

/** The style objects of templates and channels. */
export const styleSheet = () =>
  shapeOf({
    custom: optional(jsonObject(), 'Custom styles'),
    overrides: optional(jsonObject(), 'Overrides'),
    palette: optional(jsonObject(), 'Colors'),
    typography: optional(jsonObject(), 'Typography'),
  });

const fields = {
  name: optional(prose(), 'Name of the channel'),
  properties: optional(
    shapeOf({ height: optional(anyJson(), 'Height'), width: optional(anyJson(), 'Width') }),
    'Size of the area in which the content is embedded',
  ),
  show_navigation: optional(flag(), 'True if navigation is shown with the content'),
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

/**
 * The content that the channel shows if there is none for the contact. Like a content container, but without a page.
 */
const defaultContentOf = <Id extends z.ZodType>(id: Id) =>
  shapeOf({
    css: optional(prose(), 'CSS'),
    layout_basis: optional(oneOf(layouts), 'Basis of the layout'),
    styles: optional(jsonObject(), 'Styles'),
    content_blocks: list(blockOf(id), 'Content blocks'),
  });

/** The layouts of channel content. */
export const layouts = ['grid', 'table', 'none'] as const;

/**
 * An engagement channel as it is imported and stored. The fields that are not in the API are settings of the
 * administrator and are never returned.
 */
export const channelOf = <Id extends z.ZodType>(id: Id) =>
  shapeOf({
    id: id.describe('Channel id'),
    ...fields,
    lookup_fields: list(declaredField(), 'Contact fields that the channel finds contacts by'),
    frame_ancestors: embedders(),
    default_content: optional(defaultContentOf(id), 'Content where there is none for the contact'),
  });
/** An engagement channel with the settings of the administrator. */
export type EngagementChannel = z.output<ReturnType<typeof channelOf<Uuid>>>;

/** An engagement channel in responses (specification, "Template page"). */
export const shownChannel = z.object({ id: uuid().describe('Channel id'), ...fields }).meta({
  id: 'EngagementChannel',
  description: 'A site or application outside the service in which content is embedded',
});
