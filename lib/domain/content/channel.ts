import * as z from 'zod';
import { flag } from '../fields.ts';
import { declaredField } from '../lookup.ts';
import { anyJson, jsonObject, list, optional, prose, shapeOf, type Uuid, uuid } from './values.ts';

/** Objects of styles that templates and channels have alike. */
export const styleSheet = () =>
  shapeOf({
    custom: optional(jsonObject()),
    overrides: optional(jsonObject()),
    palette: optional(jsonObject()),
    typography: optional(jsonObject()),
  });

const fields = {
  name: optional(prose()),
  properties: optional(shapeOf({ height: optional(anyJson()), width: optional(anyJson()) })),
  show_navigation: optional(flag()),
  theme_styles: optional(styleSheet()),
};

/** An engagement channel as it is imported and stored. `lookup_fields` are for the administrator: never shown. */
export const channelOf = <Id extends z.ZodType>(id: Id) =>
  shapeOf({ id, ...fields, lookup_fields: list(declaredField()) });
/** The channel that lookups name, with the fields that are declared for it. */
export type EngagementChannel = z.output<ReturnType<typeof channelOf<Uuid>>>;

/** An engagement channel as containers show it (specification, "Template page"). */
export const shownChannel = z.object({ id: uuid(), ...fields }).meta({ id: 'EngagementChannel' });
export type ShownChannel = z.output<typeof shownChannel>;
