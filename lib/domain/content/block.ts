import * as z from 'zod';
import { anyJson, jsonObject, number, oneOf, optional, prose, shapeOf, uuid } from './values.ts';

export const containerTypes = ['content_container', 'message', 'page', 'template'] as const;

/** The texts that the specification names; what else a type of block needs is kept as it is. */
const data = shapeOf({
  acceptedConfirmationText: optional(prose()),
  agreementText: optional(prose()),
  customClass: optional(prose()),
  declinedConfirmationText: optional(prose()),
  disagreeText: optional(prose()),
  documentLinkText: optional(prose()),
  documentLinkUrl: optional(prose()),
  heading: optional(prose()),
  name: optional(prose()),
  signatureBoxText: optional(prose()),
}).catchall(anyJson().nullable());

const grid = shapeOf({
  xs: optional(anyJson()),
  sm: optional(anyJson()),
  md: optional(anyJson()),
  lg: optional(anyJson()),
  xl: optional(anyJson()),
});

const fields = {
  css: optional(prose()),
  data: optional(data),
  grid: optional(grid),
  order: optional(number()),
  slug: optional(prose()),
  styles: optional(jsonObject()),
  type: optional(prose()),
};

/** A content block as it is imported and stored: what says where it stands is filled in when it is shown. */
export const blockOf = <Id extends z.ZodType>(id: Id) => shapeOf({ id, ...fields });

/** A content block as it is shown (specification, "Content block"), with the ids of all that it stands in. */
export const contentBlock = z
  .object({
    id: uuid(),
    container_id: uuid(),
    container_type: oneOf(containerTypes),
    content_container_id: uuid().nullable(),
    message_id: uuid().nullable(),
    page_id: uuid().nullable(),
    template_id: uuid().nullable(),
    ...fields,
  })
  .meta({ id: 'ContentBlock' });
export type ContentBlock = z.output<typeof contentBlock>;
