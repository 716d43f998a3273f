import * as z from 'zod';
import { flag } from '../fields.ts';
import { declaredField } from '../lookup.ts';
import { anyJson, jsonObject, list, optional, prose, shapeOf, type Uuid, uuid } from './values.ts';

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

/** An engagement channel as it is imported and stored. `lookup_fields` are for the administrator: never shown. */
export const channelOf = <Id extends z.ZodType>(id: Id) =>
  shapeOf({ id, ...fields, lookup_fields: list(declaredField()) });
/** The channel that lookups name, with the fields that are declared for it. */
export type EngagementChannel = z.output<ReturnType<typeof channelOf<Uuid>>>;

/** An engagement channel as containers show it (specification, "Template page"). */
export const shownChannel = z
  .object({ id: uuid().meta({ description: 'Channel id' }), ...fields })
  .meta({ id: 'EngagementChannel', description: 'A place outside the service where content is embedded' });
export type ShownChannel = z.output<typeof shownChannel>;
