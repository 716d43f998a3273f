import * as z from 'zod';
import { uuid } from '../uuid.ts';
import { anyJson, idOf, jsonObject, number, oneOf, optional, prose, shapeOf } from './values.ts';

export const containerTypes = ['content_container', 'message', 'page', 'template'] as const;

/** The texts that the specification names; what else a type of block needs is kept as it is. */
const data = shapeOf({
  acceptedConfirmationText: optional(prose(), 'Text that confirms an acceptance'),
  agreementText: optional(prose(), 'Text to agree to'),
  customClass: optional(prose(), 'CSS class'),
  declinedConfirmationText: optional(prose(), 'Text that confirms a refusal'),
  disagreeText: optional(prose(), 'Text to disagree by'),
  documentLinkText: optional(prose(), 'Text of the link to the document'),
  documentLinkUrl: optional(prose(), 'Address of the document'),
  heading: optional(prose(), 'Heading'),
  name: optional(prose(), 'Name'),
  signatureBoxText: optional(prose(), 'Text of the signature box'),
}).catchall(anyJson().nullable());

const grid = shapeOf({
  xs: optional(anyJson(), 'Extra small screens'),
  sm: optional(anyJson(), 'Small screens'),
  md: optional(anyJson(), 'Medium screens'),
  lg: optional(anyJson(), 'Large screens'),
  xl: optional(anyJson(), 'Extra large screens'),
});

const fields = {
  css: optional(prose(), 'CSS'),
  data: optional(data, 'Texts and settings of the block, by its type'),
  grid: optional(grid, 'Size of the block in the grid, by width of the screen'),
  order: optional(number(), 'Place of the block'),
  slug: optional(prose(), 'Slug'),
  styles: optional(jsonObject(), 'Styles'),
  type: optional(prose(), 'Block type'),
};

/** A content block as it is imported and stored: what says where it stands is filled in when it is shown. */
export const blockOf = <Id extends z.ZodType>(id: Id) => shapeOf({ id: idOf(id, 'Block id'), ...fields });

/** A content block as it is shown (specification, "Content block"), with the ids of all that it stands in. */
export const contentBlock = z
  .object({
    id: uuid().meta({ description: 'Block id' }),
    container_id: uuid().meta({ description: 'Id of what the block stands in' }),
    container_type: oneOf(containerTypes).meta({ description: 'What the block stands in' }),
    content_container_id: uuid().nullable().meta({ description: 'Content container that the block stands in' }),
    message_id: uuid().nullable().meta({ description: 'Message that the block stands in' }),
    page_id: uuid().nullable().meta({ description: 'Page that the block stands in' }),
    template_id: uuid().nullable().meta({ description: 'Template that the block stands in' }),
    ...fields,
  })
  .meta({ id: 'ContentBlock', description: 'A piece of content, and where it stands' });
export type ContentBlock = z.output<typeof contentBlock>;
